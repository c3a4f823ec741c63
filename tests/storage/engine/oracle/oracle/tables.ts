/** A table by several dimensions: every combination of values that a hit, or the visit of a hit, has. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import {
  type Instants,
  lies,
  moneyOf,
  type Oracle,
  type OracleFilter,
  pagesOf,
  placesIn,
  round,
  rows,
  type Visit,
  withoutConversions,
} from '../oracle.ts'

const per = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const isOfHits = (dimension: string) =>
  ['page', 'hostname', 'url', 'event', 'goal'].includes(dimension) || dimension.startsWith('property:')

interface Group {
  readonly values: readonly string[]
  readonly hits: Map<Visit, NewHit[]>
  /** Of pages also what events brought there. */
  readonly bought: NewHit[]
}

function combinations(each: readonly (readonly string[])[]): string[][] {
  return each.reduce<string[][]>((all, values) => all.flatMap(before => values.map(value => [...before, value])), [[]])
}

function groupsOf(oracle: Oracle, dimensions: readonly string[], range: Instants, filters: readonly OracleFilter[]): Map<string, Group> {
  const ofHits = dimensions.filter(isOfHits)
  const isOfPages = ofHits.length === 1 && ofHits[0] === 'page'
  const meets = oracle.meeting(filters)
  const found = new Map<string, Group>()
  const own = (dimension: string, value: string, one: NewHit) =>
    (dimension !== 'page' && dimension !== 'goal') ||
    oracle.own(dimension, filters).every(either => either.some(filter => oracle.passes(filter, value, one)))
  for (const visit of oracle.kept(filters)) {
    for (const one of visit.hits.filter(({ at }) => lies(range, visit, at))) {
      const met = meets(visit, one)
      if (ofHits.length > 0 && !isOfPages && !met) continue
      const each = dimensions.map(dimension =>
        (dimension === 'page' ? [one.page] : oracle.valuesOf(dimension, visit, one)).filter(value => own(dimension, value, one)),
      )
      for (const values of combinations(each)) {
        const key = JSON.stringify(values)
        const group = found.get(key) ?? { values, hits: new Map<Visit, NewHit[]>(), bought: [] }
        found.set(key, group)
        if (met) group.bought.push(one)
        if (!isOfPages || oracle.isView(one, placesIn(filters))) group.hits.set(visit, [...(group.hits.get(visit) ?? []), one])
      }
    }
  }
  for (const [key, { hits, bought }] of found) {
    const { revenue, purchases } = moneyOf(bought)
    if (hits.size === 0 && revenue === 0 && purchases === 0) found.delete(key)
  }
  return found
}

const visitorsIn = (hits: ReadonlyMap<Visit, unknown>) => new Set([...hits.keys()].map(({ visitor }) => visitor)).size

/** The figures of every row, by its values. @param whole the range of the report, of which `range` is a point */
export function tableOf(
  oracle: Oracle,
  dimensions: readonly string[],
  { range, whole }: { range: Instants; whole: Instants },
  filters: readonly OracleFilter[],
): Map<string, Record<string, number>> {
  const groups = groupsOf(oracle, dimensions, range, filters)
  const all = oracle.totals(whole, filters).visitors
  const reduced = withoutConversions(filters)
  const isOverGoals = dimensions.includes('goal')
  const isConverting = isOverGoals || rows(filters, 'goal').length > 0
  const without = dimensions.filter(name => name !== 'goal')
  const bases = isConverting ? groupsOf(oracle, without, range, reduced) : new Map<string, Group>()
  const isOfVisits = !dimensions.some(isOfHits)
  const isOfPages = dimensions.filter(isOfHits).join() === 'page'
  const meets = oracle.meeting(filters)
  const page = dimensions.indexOf('page')
  return new Map(
    [...groups].map(([key, { values, hits, bought }]) => {
      const counted = [...hits].map(([visit, some]) => ({ visit, hits: some }))
      const here = values[page] ?? ''
      const entered = page === -1 ? oracle.entered(filters) : (visit: Visit) => pagesOf(visit)[0]?.page === here
      const figures = oracle.figures(counted, filters, {
        entered,
        wanted: isOfVisits ? [...rows(filters, 'page'), ...placesIn(filters)] : [],
      })
      const visits = counted.map(({ visit }) => visit)
      const entries = visits.filter(visit => pagesOf(visit)[0]?.page === here).length
      const exits = visits.filter(visit => pagesOf(visit).at(-1)?.page === here).length
      const engaged = counted.flatMap(one => one.hits).reduce((ms, one) => ms + (oracle.attention.get(one)?.ms ?? 0), 0)
      const brought = visits.flatMap(visit => visit.hits.filter(one => lies(range, visit, one.at) && meets(visit, one)))
      const completed = [...oracle.groups('goal', range, filters, oracle.own('goal', filters), visits).values()]
      const ofHits = counted.flatMap(one => one.hits).filter(one => one.kind === 'event').length
      const base = bases.get(JSON.stringify(values.filter((_, i) => dimensions[i] !== 'goal')))
      return [
        key,
        {
          ...figures,
          ...(isOfPages ? moneyOf(bought) : {}),
          ...(isOverGoals
            ? oracle.worth(
                values[dimensions.indexOf('goal')] ?? '',
                counted.flatMap(one => one.hits),
              )
            : {}),
          share: round(per(100 * figures.visitors, all), 1),
          ...(page === -1
            ? {}
            : {
                entries,
                exits,
                exit_rate: round(per(100 * exits, figures.pageviews), 1),
                time_on_page: Math.round(per(engaged, figures.visits)),
              }),
          ...(isOverGoals || isOfPages ? {} : { events: isOfVisits ? brought.filter(one => one.kind === 'event').length : ofHits }),
          ...(isOverGoals ? {} : { visit_revenue: moneyOf(brought).revenue }),
          conversions: isOverGoals
            ? figures.pageviews + ofHits
            : completed.reduce((sum, group) => sum + [...group.values()].flat().length, 0),
          ...(isConverting ? { conversion_rate: round(per(100 * figures.visitors, base ? visitorsIn(base.hits) : 0), 1) } : {}),
        },
      ]
    }),
  )
}
