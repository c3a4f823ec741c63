/** Events by brute force: the list by name, and the detail of one. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import { type Instants, lies, moneyOf, type Oracle, type OracleFilter, round, type Visit, withoutConversions } from '../oracle.ts'

interface Sent {
  readonly visit: Visit
  readonly hit: NewHit
}

const percent = (part: number, whole: number) => (whole === 0 ? 0 : round((100 * part) / whole, 1))

function figures(counted: readonly Sent[]) {
  return {
    visitors: new Set(counted.map(({ visit }) => visit.visitor)).size,
    visits: new Set(counted.map(({ visit }) => visit)).size,
    events: counted.length,
    revenue: counted.reduce((sum, { hit }) => sum + hit.revenue, 0),
  }
}

const money = (sent: readonly Sent[]) => moneyOf(sent.map(({ hit }) => hit))

function sentIn(oracle: Oracle, part: Instants, filters: readonly OracleFilter[]): Sent[] {
  const meets = oracle.meeting(filters)
  const counts = (visit: Visit, hit: NewHit) => hit.kind === 'event' && lies(part, visit, hit.at) && meets(visit, hit)
  return oracle.kept(filters).flatMap(visit => visit.hits.filter(hit => counts(visit, hit)).map(hit => ({ visit, hit })))
}

/** Visitors that the share is based on. */
const base = (oracle: Oracle, part: Instants, filters: readonly OracleFilter[]): number =>
  oracle.totals(part, withoutConversions(filters)).visitors

function grouped<T>(all: readonly T[], valueOf: (one: T) => string | undefined): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const value = valueOf(one)
    if (value !== undefined) groups.set(value, [...(groups.get(value) ?? []), one])
  }
  return [...groups]
}

export function eventsOf(oracle: Oracle, part: Instants, filters: readonly OracleFilter[], search: string) {
  const possible = base(oracle, part, filters)
  const listed = sentIn(oracle, part, filters).filter(({ hit }) => {
    const names = oracle.names(hit)
    return !oracle.naming.get(hit.event)?.hidden && names.some(name => name.toLowerCase().includes(search.toLowerCase()))
  })
  return new Map(
    grouped(listed, ({ hit }) => oracle.shown(hit.event)).map(([shown, group]) => {
      const times = group.map(({ hit }) => hit.at)
      return [
        shown,
        {
          ...figures(group),
          ...money(group),
          conversion_rate: percent(figures(group).visitors, possible),
          first_seen_at: new Date(Math.min(...times)).toISOString(),
          last_seen_at: new Date(Math.max(...times)).toISOString(),
        },
      ]
    }),
  )
}

export function eventOf(
  oracle: Oracle,
  name: string,
  part: Instants,
  points: readonly (Instants | null)[],
  filters: readonly OracleFilter[],
  keys: readonly string[],
) {
  const events = sentIn(oracle, part, filters).filter(({ hit }) => oracle.names(hit).includes(name))
  const metrics = figures(events)
  const by = (valueOf: (one: Sent) => string | undefined) =>
    new Map(
      grouped(events, valueOf).map(([value, group]) => [
        value,
        { ...figures(group), share: percent(figures(group).visitors, metrics.visitors) },
      ]),
    )
  const valuesOf = (key: string) => events.flatMap(({ hit }) => hit.props.filter(([one]) => one === key).map(([, value]) => value))
  const keysOf = new Set(events.flatMap(({ hit }) => hit.props.map(([key]) => key)))
  return {
    metrics: { ...metrics, ...money(events), conversion_rate: percent(metrics.visitors, base(oracle, part, filters)) },
    series: points.map(point => figures(events.filter(({ visit, hit }) => point && lies(point, visit, hit.at)))),
    pages: by(({ hit }) => hit.page),
    sources: by(({ visit }) => visit.first.source),
    properties: keys.map(key => by(({ hit }) => hit.props.find(([one]) => one === key)?.[1])),
    keys: new Map([...keysOf].map(key => [key, valuesOf(key).length])),
    numbers: (key: string) => numbersOf(valuesOf(key)),
  }
}

/** Keys of properties of named events and pageviews: counts, and the time of the last. */
export function propertiesOf(oracle: Oracle, part: Instants) {
  const found = new Map<string, { hits: number; lastAt: number }>()
  for (const visit of oracle.visits) {
    for (const { kind, event, at, props } of visit.hits) {
      if (!lies(part, visit, at) || (kind === 'event' && event === '')) continue
      for (const [key] of props) {
        const { hits, lastAt } = found.get(key) ?? { hits: 0, lastAt: 0 }
        found.set(key, { hits: hits + 1, lastAt: Math.max(lastAt, at) })
      }
    }
  }
  return found
}

/** Statistics from a sorted list, as in a textbook. */
function numbersOf(values: readonly string[]) {
  const numbers = values
    .filter(value => /^[+-]?\d+(\.\d+)?$/.test(value))
    .map(Number)
    .sort((a, b) => a - b)
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
    count: numbers.length,
    sum,
    mean: sum / numbers.length,
    median: quantile(0.5),
    p90: quantile(0.9),
    min: Math.min(...numbers),
    max: Math.max(...numbers),
  }
}
