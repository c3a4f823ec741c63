/** The vitals and clicks of a day of a group: those of its sites, with ids and visits that all of them share. (Every `!` is inside bounds.) */
import { vitalsOf, clicksOf } from '../build-measures.ts'
import type { Day, MeasuredColumns } from '../day.ts'
import { type LoadedPart, visitorBases } from './group-columns.ts'
import type { GroupTexts } from './group-texts.ts'
import { groupsOf, type Measures } from '../measures.ts'

interface GroupMeasuresOf {
  readonly partsOf: WeakMap<Day, readonly LoadedPart[]>
  readonly texts: GroupTexts
  /** Of each site. */
  readonly each: readonly Measures[]
}

const VISITS_A_VISITOR = 256

export function groupMeasures({ partsOf, texts, each }: GroupMeasuresOf): Measures {
  /** Adds the rows of every site that has the page. */
  async function gather<C extends MeasuredColumns>(
    day: Day,
    page: number | null,
    read: (measures: Measures, day: Day, page: number | null) => Promise<C>,
    add: (columns: C, group: number, row: number, visit: number, member: number) => void,
  ): Promise<void> {
    const parts = partsOf.get(day)
    if (!parts) throw new Error('a day of a group has no parts')
    const bases = visitorBases(parts)
    for (const [i, { member, day: own }] of parts.entries()) {
      const ownPage = page === null ? null : await texts.ownId('page', member, page)
      if (ownPage === 0) continue
      const columns = await read(each[member]!, own, ownPage)
      const { from, to } = groupsOf(columns, ownPage)
      const base = bases[i]! * VISITS_A_VISITOR
      for (let group = from; group < to; group++) {
        for (let row = columns.first[group]!; row < columns.first[group + 1]!; row++) {
          const visit = columns.visit[row]!
          add(columns, group, row, visit === 0 ? 0 : visit + base, member)
        }
      }
    }
  }

  const idsOf = async (name: 'page' | 'device' | 'selector') => {
    const maps: Uint32Array[] = []
    for (const member of each.keys()) maps.push(await texts.idsOf(name, member))
    return (member: number, id: number): number => maps[member]?.[id] ?? 0
  }

  return {
    async vitals(day, page) {
      const [pages, devices] = [await idsOf('page'), await idsOf('device')]
      const lists = { page: [] as number[], metric: [] as number[], device: [] as number[], visit: [] as number[], value: [] as number[] }
      await gather(
        day,
        page,
        (measures, own, ownPage) => measures.vitals(own, ownPage),
        (columns, group, row, visit, member) => {
          lists.page.push(pages(member, columns.page[group]!))
          lists.metric.push(columns.metric[group]!)
          lists.device.push(devices(member, columns.device[group]!))
          lists.visit.push(visit)
          lists.value.push(columns.value[row]!)
        },
      )
      return vitalsOf(lists)
    },
    async clicks(day, page) {
      const [pages, selectors] = [await idsOf('page'), await idsOf('selector')]
      const lists = { page: [] as number[], selector: [] as number[], visit: [] as number[], x: [] as number[], y: [] as number[] }
      await gather(
        day,
        page,
        (measures, own, ownPage) => measures.clicks(own, ownPage ?? 0),
        (columns, group, row, visit, member) => {
          lists.page.push(pages(member, columns.page[group]!))
          lists.selector.push(selectors(member, columns.selector[group]!))
          lists.visit.push(visit)
          lists.x.push(columns.x[row]!)
          lists.y.push(columns.y[row]!)
        },
      )
      return clicksOf(lists)
    },
  }
}
