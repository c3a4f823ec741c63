/** Notable changes by brute force: every value of every dimension in both periods, and the metrics of the site. */
import type { Instants, Oracle } from '../oracle.ts'

export interface OracleInsight {
  dimension: string | null
  value: string | null
  metric: string
  current: number
  previous: number
  impact: number
}

const kinds = ['page', 'source', 'country', 'device', 'utm_campaign', 'event', 'goal']

export function insightsOf(oracle: Oracle, now: Instants, before: Instants): OracleInsight[] {
  const found: OracleInsight[] = []
  const [totals, earlier] = [oracle.totals(now, []), oracle.totals(before, [])]
  const max = Math.max(totals.visitors, earlier.visitors)
  for (const [metric, current] of Object.entries(totals)) {
    if (['purchases', 'average_order', 'people'].includes(metric)) continue
    const previous = earlier[metric as keyof typeof earlier]
    if (totals.visitors + earlier.visitors < 10 || current === previous) continue
    const isCount = ['visitors', 'visits', 'pageviews'].includes(metric)
    if (!isCount && metric !== 'revenue' && Math.min(totals.visits, earlier.visits) === 0) continue
    const base = previous === 0 ? (isCount ? 1 : Math.abs(current)) : Math.abs(previous)
    const impact = ((100 * Math.abs(current - previous)) / base) * Math.sqrt(max)
    found.push({ dimension: null, value: null, metric, current, previous, impact })
  }
  for (const dimension of kinds) {
    const [rows, rowsBefore] = [oracle.breakdown(dimension, now, []), oracle.breakdown(dimension, before, [])]
    for (const value of new Set([...rows.keys(), ...rowsBefore.keys()])) {
      const [current, previous] = [rows.get(value)?.visitors ?? 0, rowsBefore.get(value)?.visitors ?? 0]
      if (current + previous < 10 || current === previous || (value === '' && dimension !== 'source')) continue
      const impact = ((100 * Math.abs(current - previous)) / Math.max(1, previous)) * Math.sqrt(Math.max(current, previous))
      found.push({ dimension, value, metric: 'visitors', current, previous, impact })
    }
  }
  return found.sort((a, b) => b.impact - a.impact)
}
