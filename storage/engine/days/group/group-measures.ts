/**
 * The vitals and clicks of a day of a group: the vitals and clicks of its sites, with ids and visits that all of them share. (Every `!` is inside
 * bounds.)
 */
import { clicksOf, vitalsOf } from '../build-measures.ts'
import type { Day, MeasuredColumns } from '../day.ts'
import { groupsOf, type Measures } from '../measures.ts'
import { columnNumbers } from '../sealed-columns.ts'
import { visitorBases } from './group-columns.ts'
import type { PartsOf } from './group-loader.ts'
import type { GroupTexts } from './group-texts.ts'

interface GroupMeasuresOf {
  readonly partsOf: PartsOf
  readonly texts: GroupTexts
  /** Measures of each site. */
  readonly each: readonly Measures[]
}

const VISITS_A_VISITOR = 256
const dictionaries = ['page', 'device', 'selector'] as const
type Translated = (typeof dictionaries)[number]
const isTranslated = (name: string): name is Translated => (dictionaries as readonly string[]).includes(name)

export function groupMeasures({ partsOf, texts, each }: GroupMeasuresOf): Measures {
  /** The rows of every site that has the page, as a list for each column. Columns that no report declares are 0. */
  async function gathered<Name extends string>(
    day: Day,
    page: number | null,
    {
      numbers,
      ofGroups,
      ofRows,
      read,
    }: {
      /** As they are stored. */
      readonly numbers: Readonly<Record<string, number>>
      readonly ofGroups: readonly Name[]
      readonly ofRows: readonly Name[]
      read(measures: Measures, day: Day, page: number | null): Promise<MeasuredColumns>
    },
  ): Promise<Readonly<Record<Name, number[]>>> {
    const loaded = partsOf.get(day)
    if (!loaded) throw new Error('a day of a group has no parts')
    const names = [...ofGroups, ...ofRows]
    const lists = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]> // one for each name
    const bases = visitorBases(loaded.parts)
    for (const [i, { member, day: own }] of loaded.parts.entries()) {
      const ownPage = page === null ? null : await texts.ownId('page', member, page)
      if (ownPage === 0) continue
      const columns = await read(each[member]!, own, ownPage)
      const { from, to } = groupsOf(columns, ownPage)
      const visits = bases[i]! * VISITS_A_VISITOR
      for (const [place, name] of names.entries()) {
        const column = loaded.columns.has(numbers[name] ?? -1)
          ? (columns as unknown as Readonly<Record<string, ArrayLike<number>>>)[name]
          : undefined // by its name
        const ids = isTranslated(name) ? await texts.idsOf(name, member) : null
        const list = lists[name]
        const numberAt = (at: number): number => {
          const n = column?.[at] ?? 0
          return name === 'visit' && n > 0 ? n + visits : (ids?.[n] ?? n)
        }
        for (let group = from; group < to; group++) {
          for (let row = columns.first[group]!, end = columns.first[group + 1]!; row < end; row++) {
            list.push(numberAt(place < ofGroups.length ? group : row))
          }
        }
      }
    }
    return lists
  }

  return {
    vitals: async (day, page) =>
      vitalsOf(
        await gathered(day, page, {
          numbers: columnNumbers.vitals,
          ofGroups: ['page', 'metric', 'device'],
          ofRows: ['visit', 'value'],
          read: (measures, own, ownPage) => measures.vitals(own, ownPage),
        }),
      ),
    clicks: async (day, page) =>
      clicksOf(
        await gathered(day, page, {
          numbers: columnNumbers.clicks,
          ofGroups: ['page', 'selector'],
          ofRows: ['visit', 'x', 'y'],
          read: (measures, own, ownPage) => measures.clicks(own, ownPage ?? 0),
        }),
      ),
  }
}
