/** Days of one site with few visitors, for what ClickHouse counts of them. */
import type { Goal, Span, Test } from '../../../storage/engine/vocabulary/scope.ts'
import type { Sent } from './traffic.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const first = Date.parse('2026-05-05') / DAY_MS
export const days = 5
const at = (day: number, minutes: number) => (first + day) * DAY_MS + minutes * 60_000
export const now = at(days - 1, 1_439) // the last day is open

export const pages = ['/', '/a', '/b', '/docs/1', '/docs/2']
export const countries = ['DE', 'FR', 'US', '']
export const events = ['signup', 'buy', 'play']

/** Few visitors with many visits and hits, so that every form of a repetition is among them; every third hit is one's only one. */
export function sentOn(day: number): Sent[] {
  let seed = day * 7919 + 1
  const below = (n: number) => (seed = (seed * 48271) % 2_147_483_647) % n
  return Array.from({ length: 220 }, (_, i): Sent => {
    const who = below(3) === 0 ? 25 + i : below(25)
    const from = { at: at(day, i * 6 + below(6)), who: `10.0.${day}.${who}` }
    const visit = {
      country: countries[who % 4] ?? '',
      browser: ['Firefox', 'Safari'][who % 2] ?? '',
      source: ['Google', '', 'news'][below(3)] ?? '',
      utm_campaign: ['spring', ''][below(2)] ?? '',
    }
    const page = pages[below(pages.length)] ?? '/'
    const kind = below(10)
    if (kind === 0) return { ...from, visit, page, kind: 'engagement', engagedMs: 1_000 + below(9_000), scroll: below(101) }
    if (kind < 4) {
      const event = events[below(events.length)] ?? ''
      return {
        ...from,
        visit,
        page,
        event,
        revenue: below(4) === 0 ? below(4_000) - 1_000 : 0,
        props: { plan: below(2) === 0 ? 'pro' : 'free' },
      }
    }
    return { ...from, visit, page, revenue: below(9) === 0 ? below(900) : 0, ...(below(4) === 0 && { props: { plan: 'pro' } }) }
  })
}

export const whole = (from: number, to: number): Span => ({
  fromDay: first + from,
  toDay: first + to,
  from: at(from, 0),
  to: at(to + 1, 0),
  whole: true,
})
export const cut = (from: number, to: number): Span => ({ ...whole(0, days), from: at(0, from), to: at(0, to), whole: false })
export const all = whole(0, days - 1)

export const is = (dimension: string, operator: Test['operator'], ...values: string[]): Test => ({
  dimension,
  operator,
  values,
  pointer: '',
})
export const goals: readonly Goal[] = [
  { id: 'g1', name: 'Signup', kind: 'event', path: null, event: 'signup', property: null, value: null },
  { id: 'g2', name: 'Docs', kind: 'page', path: '/docs/*', event: null, property: null, value: null },
  { id: 'g3', name: 'Pro', kind: 'event', path: null, event: 'buy', property: 'plan', value: 'pro' },
]
/** Steps of funnels, the last of which has no SQL. */
export const steps: readonly Goal[] = [
  ...['/', '/a', '/docs/*', '/**', '/never'].map((path): Goal => ({ ...goals[1]!, path })),
  ...['signup', 'play', 'never'].map((event): Goal => ({ ...goals[0]!, event })),
  goals[2]!,
]

export const hours = (from: number, count: number): Span[] =>
  Array.from({ length: count }, (_, i) => ({ ...cut((from + i) * 60, (from + i + 1) * 60), fromDay: first, toDay: first + days }))
