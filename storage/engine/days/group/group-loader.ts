/** Loads the days of a group: the days of each of its sites, a few at a time, and then the columns that they make together. */
import type { Db } from '../../../store.ts'
import type { Member } from '../../vocabulary/scope.ts'
import type { Day, DayBounds } from '../day.ts'
import type { DayCache } from '../day-cache.ts'
import { isMerged, type LoadedPart, mergedColumn, mergedSums, readsOfPart, runsOf } from './group-columns.ts'
import type { GroupDay } from './group-days.ts'
import type { GroupMemory, GroupTexts } from './group-texts.ts'
import { COLUMNS_AT_ONCE, type DayLoader, runsOfDays } from '../load-days.ts'
import { allReads, type Reads } from '../reads.ts'
import { openShape, type SealedDay } from '../sealed-day.ts'
import type { SiteDay } from '../site-days.ts'
import { sumsOfSites, totalsAddedUp } from '../sums.ts'

interface GroupLoaderOf {
  readonly members: readonly Member[]
  readonly memory: GroupMemory
  readonly texts: GroupTexts
  readonly cache: DayCache
  readonly loader: DayLoader
  /** Gets the parts of each day, of which vitals or clicks may be read. */
  readonly partsOf: PartsOf
}

/** The days of the sites that make up a day, and which columns of them were read. */
export type PartsOf = WeakMap<Day, { readonly parts: readonly LoadedPart[]; readonly columns: ReadonlySet<number> }>

interface Wanted {
  readonly day: GroupDay
  /** The parts in memory. */
  readonly known: SealedDay | null
  readonly lacking: Reads
}

export function groupLoader(db: Db, { members, memory, texts, cache, loader, partsOf }: GroupLoaderOf) {
  function lackingOf(day: GroupDay, reads: Reads): Wanted | Day {
    const known = (day.isKept && cache.get(memory.key, day)?.sealed) || null
    const columns = new Set([...reads.columns].filter(number => known?.has('columns', number) !== true))
    const sums = new Set([...reads.sums].filter(number => known?.has('sums', number) !== true))
    return known && columns.size + sums.size === 0 ? known.day : { day, known, lacking: { columns, sums } }
  }

  /** The days of the sites that make up these days, by site and number. */
  async function loadParts(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Day>> {
    const found = new Map<string, Day>()
    const bySite = new Map<number, Map<SiteDay, Reads>>()
    for (const { day, lacking } of wanted) {
      for (const part of day.parts) {
        const days = bySite.get(part.member) ?? new Map<SiteDay, Reads>()
        bySite.set(part.member, days)
        const reads = readsOfPart(lacking, part)
        const before = days.get(part.stored)
        days.set(part.stored, before ? allReads([before, reads]) : reads)
      }
    }
    for (const [member, days] of bySite) {
      const readsOf = new Map(Array.from(days, ([{ day }, reads]) => [day, reads]))
      const inOrder = [...days.keys()].sort((a, b) => a.day - b.day)
      for await (const some of loader.load(db, members[member]?.site ?? 0, inOrder, ({ day }) => readsOf.get(day) ?? null)) {
        for (const day of some) found.set(`${member}/${day.day}`, day)
      }
    }
    return found
  }

  async function made({ day, known, lacking }: Wanted, found: ReadonlyMap<string, Day>): Promise<Day> {
    const parts = day.parts.flatMap((part): LoadedPart[] => {
      const loaded = found.get(`${part.member}/${part.stored.day}`)
      return loaded ? [{ ...part, day: loaded }] : []
    })
    const runs = runsOf(parts)
    const sealed = known ?? openDay(day, parts, runs)
    const merging = { parts, runs, texts, sites: members.length }
    for (const number of lacking.columns) {
      if (!isMerged(number) || sealed.has('columns', number)) continue
      const column = await mergedColumn(number, merging)
      if (!sealed.has('columns', number)) sealed.setColumn(number, column)
    }
    for (const number of lacking.sums) {
      const sums = await mergedSums(number, merging)
      if (!sealed.has('sums', number)) sealed.setSums(number, sums)
    }
    if (day.isKept) cache.setSealed(memory.key, day, sealed)
    partsOf.set(sealed.day, { parts, columns: lacking.columns })
    return sealed.day
  }

  return {
    /** Yields the days of which something is read, a few at a time. @param all in order */
    async *load(all: readonly GroupDay[], reads: (day: DayBounds) => Reads | null): AsyncGenerator<Day[]> {
      for (const some of runsOfDays(all, day => reads(day) !== null, COLUMNS_AT_ONCE)) {
        const each = some.map(day => lackingOf(day, reads(day) ?? nothing))
        const wanted = each.filter(one => 'lacking' in one)
        const found = wanted.length === 0 ? new Map<string, Day>() : await loadParts(wanted)
        const days: Day[] = []
        for (const one of each) days.push('lacking' in one ? await made(one, found) : one)
        yield days
      }
    },
  }
}

const nothing: Reads = { columns: new Set(), sums: new Set() }

function openDay(day: GroupDay, parts: readonly LoadedPart[], runs: ReturnType<typeof runsOf>): SealedDay {
  const total = (count: (day: Day) => number): number => parts.reduce((sum, part) => sum + count(part.day), 0)
  return openShape(day, {
    totals: totalsAddedUp(parts.map(part => part.day.sums)),
    sites: { sums: sumsOfSites(parts.map(part => ({ place: part.member + 1, totals: part.day.sums.totals }))), runs },
    parts: {
      visits: { count: total(({ visits }) => visits.count), visitors: total(({ visits }) => visits.visitors) },
      hits: { count: total(({ hits }) => hits.count) },
      props: { count: total(({ props }) => props.count) },
      vitals: {},
      clicks: {},
    },
  })
}
