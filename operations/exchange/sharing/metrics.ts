/** Figures of a site for Prometheus and Grafana, in the text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
import { Type } from '@sinclair/typebox'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { minorDigits } from '../../../runtime/ui/format.ts'
import { site } from '../../sites/sites/records.ts'
import { aggregate, apply, breakdown, dimensionOf, engine } from '../../reports/stats/index.ts'
import { liveReport } from '../../reports/live/index.ts'

const MAX_GOALS = 100

export const site_metrics_get = operation({
  route: 'GET /sites/{site_id}/metrics',
  summary: 'Figures of a site for Prometheus',
  description:
    'Visitors, visits, pageviews, revenue and conversions of today, and current visitors, as gauges. For tables, use `stats_query`.',
  access: 'analytics.read',
  surfaces: ['http'],
  on: site,
  effect: 'read',
  input: {},
  output: Type.String({ description: 'The figures, in the text format of Prometheus.' }),
  answers: text('text/plain; version=0.0.4'),
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ site, db, now, use }) {
    const [applied, dimension] = [await apply(db, site, now, { period: 'today' }), dimensionOf('goal')]
    const [{ data }, live] = [await aggregate(applied, use(engine)), await liveReport(site, now, use(engine))]
    const page = { limit: MAX_GOALS, page: 1, sort: 'visitors' } as const
    const goals = dimension ? (await breakdown(applied, { dimension, page, engine: use(engine) })).data.rows : []
    const of = { site: site.id, domain: site.domain ?? site.name }
    const { metrics } = data
    return [
      gauge('visitors', 'Visitors of today.', [[of, metrics.visitors]]),
      gauge('visits', 'Visits of today.', [[of, metrics.visits]]),
      gauge('pageviews', 'Pageviews of today.', [[of, metrics.pageviews]]),
      gauge('current_visitors', 'Visitors of the last 5 minutes.', [[of, live.data.metrics.visitors]]),
      gauge('revenue', 'Revenue of today, in the currency of the site.', [
        [{ ...of, currency: site.currency }, metrics.revenue === null ? null : metrics.revenue / 10 ** minorDigits(site.currency)],
      ]),
      gauge(
        'conversions',
        'Completions of a goal today.',
        goals.map(row => [{ ...of, goal: row.label }, row.conversions ?? null] as const),
      ),
    ].join('')
  },
})

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number | null]

/** @param about one sentence */
function gauge(name: string, about: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(([labels, value]) =>
    value === null ? [] : [`footfall_site_${name}{${Object.entries(labels).map(([label, of]) => `${label}="${escaped(of)}"`)}} ${value}\n`],
  )
  return `# HELP footfall_site_${name} ${about}\n# TYPE footfall_site_${name} gauge\n${lines.join('')}`
}

const escaped = (label: string): string => label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
