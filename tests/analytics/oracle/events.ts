/**
 * Events by brute force: what is shown under which name, and what is left of visits once an event was deleted. Builds
 * on the visits and filters of the oracle of reports, and on nothing of the engine.
 */
import type { NewHit } from '../../../storage/hits/new-hit.ts'
import { type Instants, Oracle, type OracleFilter, type OracleGoal, passes, rows, touches, type Visit } from '../oracle.ts'

export interface Naming { display: string | null; hidden: boolean }

const negatives: Record<string, string> = { is_not: 'is', none_of: 'any_of', not_contains: 'contains', not_regex: 'regex' }
const round = (value: number, decimals: number) => Number(`${Math.round(Number(`${value}e${decimals}`))}e-${decimals}`)
const percent = (part: number, whole: number) => (whole === 0 ? 0 : round((100 * part) / whole, 1))
const isEvent = (one: NewHit) => one.kind === 'event'

export class EventOracle {
  readonly oracle: Oracle
  readonly naming = new Map<string, Naming>()

  constructor(goals: readonly OracleGoal[]) {
    this.oracle = new Oracle([], 'UTC', goals)
  }

  /** Hits of visitors that were not there before. */
  come(hits: readonly NewHit[], zone: string): void {
    this.oracle.visits.push(...new Oracle(hits, zone, []).visits)
  }

  /** Visits keep what their first hit gave them, and their shape. */
  delete(name: string): void {
    const { visits } = this.oracle
    for (const visit of visits) {
      const [first] = visit.hits
      const [left, ...rest] = visit.hits.filter(one => !(isEvent(one) && one.event === name))
      visit.hits = left && first ? [{ ...left, visit: first.visit }, ...rest] : []
    }
    visits.splice(0, visits.length, ...visits.filter(visit => visit.hits.length > 0))
  }

  shown(name: string): string {
    return this.naming.get(name)?.display ?? name
  }

  private names(one: NewHit): string[] {
    return isEvent(one) ? [one.event, this.shown(one.event)] : []
  }

  kept(filters: readonly OracleFilter[]): Visit[] {
    const sets = new Map<OracleFilter, Set<Visit>>()
    const keeps = (filter: OracleFilter, visit: Visit): boolean => {
      if ('any' in filter) return filter.any.some(one => keeps(one, visit))
      const [dimension, operator, value] = filter
      if (dimension !== 'event') {
        const set = sets.get(filter) ?? new Set(this.oracle.kept([filter]))
        sets.set(filter, set)
        return set.has(visit)
      }
      const positive = negatives[operator] ?? operator
      const found = visit.hits.flatMap(one => this.names(one)).some(name => passes(positive, value, name, 'event', []))
      return found === (positive === operator)
    }
    return this.oracle.visits.filter(visit => filters.every(filter => keeps(filter, visit)))
  }

  private figures(counted: readonly { visit: Visit; hit: NewHit }[]) {
    return {
      visitors: new Set(counted.map(({ visit }) => visit.visitor)).size,
      visits: new Set(counted.map(({ visit }) => visit)).size,
      events: counted.length,
      revenue: counted.reduce((sum, { hit }) => sum + hit.revenue, 0),
    }
  }

  private eventsIn({ from, to }: Instants, filters: readonly OracleFilter[]) {
    return this.kept(filters).flatMap(visit => visit.hits
      .filter(hit => isEvent(hit) && hit.at >= from && hit.at < to).map(hit => ({ visit, hit })))
  }

  base({ from, to }: Instants, filters: readonly OracleFilter[]): number {
    const left = this.kept(filters.filter(filter => !touches(filter, ['goal', 'property:'])))
    return new Set(left.filter(visit => visit.hits.some(({ at }) => at >= from && at < to)).map(visit => visit.visitor)).size
  }

  list(range: Instants, filters: readonly OracleFilter[], search: string) {
    const own = rows(filters, 'event')
    const base = this.base(range, filters)
    const groups = new Map<string, { visit: Visit; hit: NewHit }[]>()
    for (const one of this.eventsIn(range, filters)) {
      const names = this.names(one.hit)
      if (this.naming.get(one.hit.event)?.hidden) continue
      if (!own.every(([, operator, value]) => names.some(name => passes(operator, value, name, 'event', [])))) continue
      if (!names.some(name => name.toLowerCase().includes(search.toLowerCase()))) continue
      const shown = this.shown(one.hit.event)
      groups.set(shown, [...(groups.get(shown) ?? []), one])
    }
    return new Map([...groups].map(([shown, group]) => {
      const times = group.map(({ hit }) => hit.at)
      const figures = this.figures(group)
      return [shown, {
        ...figures,
        conversion_rate: percent(figures.visitors, base),
        first_seen_at: new Date(Math.min(...times)).toISOString(),
        last_seen_at: new Date(Math.max(...times)).toISOString(),
      }]
    }))
  }

  detail(name: string, range: Instants, points: readonly (Instants | null)[], filters: readonly OracleFilter[], keys: readonly string[]) {
    const events = this.eventsIn(range, filters).filter(({ hit }) => this.names(hit).includes(name))
    const metrics = this.figures(events)
    const by = (valueOf: (one: (typeof events)[number]) => string | undefined) => {
      const groups = new Map<string, typeof events>()
      for (const one of events) {
        const value = valueOf(one)
        if (value !== undefined) groups.set(value, [...(groups.get(value) ?? []), one])
      }
      return new Map([...groups].map(([value, group]) => {
        const figures = this.figures(group)
        return [value, { ...figures, share: percent(figures.visitors, metrics.visitors) }]
      }))
    }
    const valuesOf = (key: string) => events.flatMap(({ hit }) => hit.props.filter(([one]) => one === key).map(([, value]) => value))
    return {
      metrics: { ...metrics, conversion_rate: percent(metrics.visitors, this.base(range, filters)) },
      series: points.map(point => this.figures(events.filter(({ hit }) => point && hit.at >= point.from && hit.at < point.to))),
      pages: by(({ hit }) => hit.page),
      sources: by(({ visit }) => visit.hits[0]?.visit.source),
      properties: keys.map(key => by(({ hit }) => hit.props.find(([one]) => one === key)?.[1])),
      keys: new Map([...new Set(events.flatMap(({ hit }) => hit.props.map(([key]) => key)))].map(key => [key, valuesOf(key).length])),
      numbers: (key: string) => numbersOf(valuesOf(key)),
    }
  }
}

/** From a plain sorted list, as a book on statistics has it. */
function numbersOf(values: readonly string[]) {
  const numbers = values.filter(value => /^[+-]?\d+(\.\d+)?$/.test(value)).map(Number).sort((a, b) => a - b)
  if (numbers.length === 0) return null
  const sum = numbers.reduce((total, one) => total + one, 0)
  const quantile = (p: number) => {
    const place = 1 + (numbers.length - 1) * p
    const below = numbers[Math.floor(place) - 1] ?? 0
    const above = numbers[Math.min(numbers.length, Math.floor(place) + 1) - 1] ?? 0
    return below + (place - Math.floor(place)) * (above - below)
  }
  return {
    mostly: numbers.length * 2 > values.length,
    count: numbers.length, sum, mean: sum / numbers.length, median: quantile(0.5), p90: quantile(0.9),
    min: Math.min(...numbers), max: Math.max(...numbers),
  }
}
