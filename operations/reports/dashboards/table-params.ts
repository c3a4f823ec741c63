/** The parameters of a table, which a card has as texts. */
import { defaultMetrics, type MetricName, metrics as allMetrics } from '../stats/index.ts'
import type { Card } from './records.ts'

const listed = (text = ''): string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

const isMetric = (name: string): name is MetricName => Object.hasOwn(allMetrics, name)
const orders = ['asc', 'desc'] as const

/** Names that are not known are left out: `cards.ts` refuses them when a card is written. */
export function tableParams({ dimensions, metrics, metric = '', order, filters }: Card['params']) {
  const names = listed(metrics)
  const known = names.filter(isMetric)
  const sort: MetricName | 'time' | undefined = metric === 'time' || isMetric(metric) ? metric : undefined
  return {
    dimensions: listed(dimensions),
    metrics: known.length > 0 ? known : [...defaultMetrics],
    isKnown: names.every(isMetric),
    metric: sort,
    order: orders.find(each => each === order),
    filters: filters === undefined ? undefined : parsed(filters),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
