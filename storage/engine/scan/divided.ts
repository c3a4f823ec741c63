/**
 * Groups by a few values of a dimension, with all other values as one more group: for a series divided by a dimension.
 * Stored sums cannot answer this: the visitors of several values together are not the sum of each value's visitors.
 */
import type { Column } from '../columns/column.ts'
import { reusedBuffer } from '../columns/buffers.ts'
import type { Day, DayBounds } from '../days/day.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import { basisRead, Tally } from '../days/tally.ts'
import type { Dimension } from '../vocabulary/dimensions.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { CountedSums } from '../vocabulary/sums.ts'
import { type Grouping, type GroupingOptions, metOf, ofGoals, ownOf, placesOfFigure, placeTests } from './breakdown.ts'
import { readsOfConditions, type ResolvedCondition } from './condition.ts'
import type { DayCounter } from './day-counter.ts'
import { figureOf } from './figures.ts'
import { bitsOfHits, goalBits, readsOfGoals } from './goals.ts'
import { worthsOf } from './worths.ts'
import type { Mask } from './mask.ts'
import { readsOfHits, readsOfNarrowing, readsOfViews } from './narrowing.ts'
import { isPlace, placesOf } from './places.ts'
import { type Context, propertyOf, textsFor } from './resolve.ts'
import { PeopleTally, personsRead } from './people.ts'
import {
  bitScan,
  hitScanBy,
  placeScan,
  propertyScan,
  scanBits,
  scanHits,
  scanPlaces,
  scanProperty,
  scanVisits,
  visitScan,
  withReads,
} from './scan.ts'
import { partsOn } from './totals.ts'

/** In place of a group: filtered out. */
const NONE = 2 ** 32 - 1

export interface DividedGrouping extends Grouping {
  /** Set when conditions narrow pageviews: counts whole visits, which averages per visit are based on. */
  readonly scanWhole?: Grouping['scan']
}

/** @param values as in the rows of a breakdown; fewer than 31 */
export async function dividedBy(dimension: Dimension, values: readonly string[], options: GroupingOptions): Promise<DividedGrouping> {
  const { narrowing, basis, texts, known } = options
  const places = new Map(values.map((value, place) => [value, place]))
  const placeOf = (value: string): number => places.get(value) ?? values.length
  const groups = { count: values.length + 1, basis, name: (group: number) => values[group] ?? '', stored: null }
  if (dimension.level === 'goal') return { ...groups, ...(await byGoal(values, placeOf, options)) }
  if (dimension.level === 'event') {
    const { shown, groups: groupOf } = await texts.events()
    const { kept, rest } = ownOf(narrowing, one => one.on === 'event')
    const visible = Uint8Array.from(groupOf, (group, id) => (group === 0 ? 0 : (kept?.[id] ?? 1)))
    const place = Uint32Array.from(groupOf, group => placeOf(shown[group] ?? ''))
    return {
      ...groups,
      reads: withReads(hitScanBy('event'), readsOfConditions(rest)),
      scan: (tally, scanned) => scanHits(tally, scanned, 'event', { kept: visible, met: metOf(scanned, rest), groups: place }),
    }
  }
  if (isPlace(dimension.name)) {
    const all = await placesOf(dimension.name, texts)
    const tests = placeTests(all, narrowing)
    let known: number[] = []
    const buffer = reusedBuffer(Uint32Array)
    return {
      ...groups,
      reads: withReads(placeScan, allReads([all.reads, readsOfConditions(tests)])),
      scan(tally, scanned) {
        const column = all.column(scanned.day)
        if (known.length < all.count())
          known = [...known, ...Array.from({ length: all.count() - known.length }, (_, i) => placeOf(all.name(known.length + i)))]
        const ofHits = buffer(column.length)
        for (let h = 0; h < column.length; h++) ofHits[h] = known[column[h] ?? 0] ?? values.length
        scanPlaces(tally, scanned, ofHits, metOf(scanned, tests))
      },
    }
  }
  const property = await propertyOf(dimension, texts)
  const place = Uint32Array.from(await textsFor(dimension, property.key, texts), placeOf)
  if (dimension.level === 'property') {
    const { kept, rest } = ownOf(narrowing, one => one.on === 'property' && one.property.key === property.key)
    return {
      ...groups,
      reads: withReads(propertyScan(property), readsOfConditions(rest)),
      scan: (tally, scanned) => scanProperty(tally, scanned, property, { kept, met: metOf(scanned, rest), groups: place }),
    }
  }
  const mapped = mapping()
  if (dimension.level === 'page') {
    const { pages: kept, views, hits } = narrowing ?? { pages: null, views: [], hits: [] }
    // Bounces and durations count in the group of the visit's entry page.
    const entered = place.map((group, id) => (id === 0 || kept?.[id] === 0 ? NONE : group))
    const exited = mapping()
    return {
      ...groups,
      basis: 'entered here',
      reads: withReads(hitScanBy('page'), allReads([readsOfHits(hits), readsOfViews(views)])),
      scan(tally, scanned) {
        const { day, workspace } = scanned
        const { visits } = day
        const { count, visitors, visitor, bounce, duration, entry_page, exit_page } = visits
        const ofPersons = {
          get person() {
            return visits.person
          },
        } // read only where it is counted
        const ofPages = { entry_page: mapped(entered, entry_page, count), exit_page: exited(entered, exit_page, count) }
        const revenue = hits.length > 0 ? workspace.narrowings.revenue(day, hits) : null
        tally.begin(
          { visits: Object.assign(ofPersons, { count, visitors, visitor, bounce, duration, ...ofPages }), hits: day.hits },
          revenue,
        )
        scanHits(tally, scanned, 'page', { kept, met: null, groups: place, views: metOf(scanned, views) })
      },
    }
  }
  const { column, derived } = dimension
  const ofVisits = (reads: Reads, groupOf: (day: Day) => Column | number): DividedGrouping => ({
    ...groups,
    reads: withReads(visitScan, allReads([reads, readsOfNarrowing(narrowing)])),
    scan: (tally, scanned) => scanVisits(tally, scanned, groupOf(scanned.day), narrowing),
    ...((narrowing?.pages || (narrowing?.views.length ?? 0) > 0) && {
      scanWhole: (tally, scanned) => scanVisits(tally, scanned, groupOf(scanned.day), null),
    }),
  })
  if (derived?.of === 'day') return ofVisits(columnsRead(), ({ day }) => place[derived.placeOf(day)] ?? NONE)
  if (derived?.of === 'figure') {
    const figure = figureOf(derived.figure, known)
    const buffer = reusedBuffer(Uint32Array)
    return ofVisits(figure.reads, day =>
      placesOfFigure(buffer(day.visits.count), figure.of(day), number => place[derived.placeOf(number)] ?? NONE),
    )
  }
  if (column === null) throw new Error(`dimension ${dimension.name} has no column`)
  return ofVisits(columnsRead(`visits.${column}`), ({ visits }) => mapped(place, visits[column], visits.count))
}

/** All other goals share one bit, under which a hit is worth its revenue. */
async function byGoal(values: readonly string[], placeOf: (id: string) => number, { narrowing, goals, texts }: GroupingOptions) {
  const rest = ofGoals(narrowing)
  const bits = goals.map(({ id }) => 2 ** placeOf(id))
  const set = await goalBits(goals, bits, texts)
  const worths = await worthsOf(
    values.map(value => goals.find(({ id }) => id === value) ?? {}),
    texts,
  )
  const scan: Grouping['scan'] = (tally, scanned) =>
    scanBits(tally, scanned, { bits: bitsOfHits(set, scanned.day), first: 0, met: metOf(scanned, rest), worth: worths.on(scanned.day) })
  return { reads: withReads(bitScan, allReads([readsOfGoals(set), worths.reads, readsOfConditions(rest)])), scan }
}

/** Maps a column of ids to groups, in a buffer that the next call reuses. */
function mapping(): (groups: Uint32Array, ids: Column, count: number) => Column {
  const buffer = reusedBuffer(Uint32Array)
  return (groups, ids, count) => {
    const column = buffer(count)
    for (let v = 0; v < count; v++) column[v] = groups[ids[v] ?? 0] ?? NONE
    return column
  }
}

/** Counts each span of a series by these groups: for each span the sums of every group. The spans are in order. */
export function dividedOver(
  spans: readonly Span[],
  conditions: readonly ResolvedCondition[],
  grouping: DividedGrouping,
  { zeros, workspace, isPeopleCounted = false }: Pick<Context, 'zeros' | 'workspace'> & { readonly isPeopleCounted?: boolean | undefined },
): DayCounter & { sums(): CountedSums[][] } {
  const { scanWhole } = grouping
  const tallies = spans.map(() => new Tally(grouping.count, grouping.basis, zeros))
  const wholes = scanWhole && spans.map(() => new Tally(grouping.count, grouping.basis, zeros))
  const peoples = isPeopleCounted ? spans.map(() => new PeopleTally(grouping.count)) : null
  const ofPersons = isPeopleCounted ? [personsRead] : []
  const { whole, part } = withReads(grouping.reads, allReads([readsOfConditions(conditions), basisRead(grouping.basis), ...ofPersons]))
  const both = allReads([whole, part])
  return {
    reads(day: DayBounds): Reads | null {
      const parts = partsOn(spans, day)
      if (parts.length === 0) return null
      const wholes = parts.filter(({ window }) => window === null).length
      return wholes === parts.length ? whole : wholes === 0 ? part : both
    },
    scans: true,
    add(day: Day) {
      let mask: Mask | undefined
      for (const { group: point, window } of partsOn(spans, day)) {
        const tally = tallies[point]
        if (!tally) continue
        if (mask === undefined) mask = workspace.masks.of(day, conditions)
        tally.begin(day)
        grouping.scan(tally, { day, mask, window, workspace })
        const people = peoples?.[point]
        if (people) {
          people.begin(day)
          grouping.scan(people, { day, mask, window, workspace })
        }
        const ofVisits = wholes?.[point]
        if (!ofVisits) continue
        ofVisits.begin(day)
        scanWhole?.(ofVisits, { day, mask, window, workspace })
      }
    },
    sums: () =>
      tallies.map((tally, point) =>
        Array.from({ length: grouping.count }, (_, group) => {
          const viewsOfVisits = wholes?.[point]?.of(group).pageviews
          return { ...tally.of(group), ...peoples?.[point]?.of(group), ...(viewsOfVisits !== undefined && { viewsOfVisits }) }
        }),
      ),
  }
}
