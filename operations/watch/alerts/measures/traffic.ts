/** Traffic metrics, counted by the reports' engine. */
import { fail } from '../../../../runtime/table/errors.ts'
import type { Message } from '../../../../runtime/texts/message.ts'
import type { AlertRow } from '../../../../storage/tables/index.ts'
import { type Goal, resultOf, type Span, type Sums } from '../../../reports/stats/index.ts'
import { goalColumns, goalOfRow } from '../../../sites/goals/index.ts'
import type { LiveSite } from '../../../sites/sites/records.ts'
import type { Sample } from '../anomaly.ts'
import { m } from '../messages.ts'
import type { MeasureContext } from './measure-context.ts'
import { minutes, percent } from './wording.ts'

interface Traffic {
  sample(sums: Sums): Sample
  words(value: number, span: Message): Message
}
const count = (name: 'visitors' | 'visits' | 'pageviews', words: (params: { count: number; span: Message }) => Message): Traffic => ({
  sample: sums => ({ count: sums[name] }),
  words: (value, span) => words({ count: value, span }),
})

const traffic = {
  visitors: count('visitors', m.visitors_in),
  visits: count('visits', m.visits_in),
  pageviews: count('pageviews', m.pageviews_in),
  bounce_rate: {
    sample: sums => ({ count: sums.bounces, of: sums.bounceBase }),
    words: (value, span) => m.bounce_rate_in({ value, span }),
  },
} as const satisfies Record<string, Traffic>

type Watched = Pick<AlertRow, 'metric' | 'goal_id'>
type Series = readonly (readonly Span[])[]

/** Measures the alert's metric: one sample for each span of each series. */
export async function samplesOf(
  { metric, goal_id }: Watched,
  { site, series, measuring }: { site: LiveSite; series: Series; measuring: MeasureContext },
): Promise<Sample[][]> {
  if (metric === 'conversion') {
    const goal = await goalOf(goal_id ?? '', measuring)
    return Promise.all(
      series.map(spans =>
        Promise.all(
          spans.map(async span => {
            const { converters, visitors } = await completions({ goal, site, span }, measuring)
            return { count: converters, of: visitors }
          }),
        ),
      ),
    )
  }
  const { sample } = trafficOf(metric)
  const answer = await measuring.once(`totals ${site.number} ${keyOf(series)}`, async () =>
    measuring.engine.query({ ...(await measuring.scope(site, series.flat())), asked: { report: 'totals', series } }),
  )
  return answer.series.map(sums => sums.map(sample))
}

/** Counts the completions of a goal in a span, the visitors who completed it, and all visitors. */
export async function completions(
  { goal, site, span }: { goal: Goal; site: LiveSite; span: Span },
  { scope, once, engine }: MeasureContext,
): Promise<{ completions: number; converters: number; visitors: number }> {
  const answer = await once(`goal ${goal.id} ${keyOf([[span]])}`, async () =>
    engine.query({
      ...(await scope(site, [span])),
      goals: [goal],
      asked: {
        report: 'several',
        each: [
          { report: 'divided', dimension: 'goal', values: [goal.id], spans: [span] },
          { report: 'totals', series: [[span]] },
        ],
      },
    }),
  )
  const [[ofGoal] = []] = resultOf('divided', answer.each[0]).series
  const [[all] = []] = resultOf('totals', answer.each[1]).series
  const { pageviews = 0, events = 0, visitors = 0 } = ofGoal ?? {}
  return { completions: pageviews + events, converters: visitors, visitors: all?.visitors ?? 0 }
}

/** @throws Failure `not_found` if it does not exist, which cannot happen while an alert watches it */
export function goalOf(id: string, { db, once }: MeasureContext): Promise<Goal> {
  return once(`goal ${id}`, async () => {
    const row = await db
      .selectFrom('goals')
      .innerJoin('sites', 'sites.id', 'goals.site_id')
      .select([...goalColumns, 'sites.currency'])
      .where('goals.id', '=', id)
      .executeTakeFirst()
    return row ? goalOfRow(row, row.currency) : fail('not_found')
  })
}

/** Returns the count of a sample, or its share in percent; null for a share of nothing. */
export function valueOf(sample: Sample): number | null {
  if (!('of' in sample)) return sample.count
  return sample.of === 0 ? null : percent(sample.count, sample.of)
}

/** Describes a value, for example `12 visitors in 60 minutes`. */
export function wordsOf({ metric, window_minutes }: Pick<AlertRow, 'metric' | 'window_minutes'>, value: number): Message {
  const span = minutes(window_minutes)
  return metric === 'conversion' ? m.conversion_rate_in({ value, span }) : trafficOf(metric).words(value, span)
}

export const unitOf = ({ metric }: Watched) => (metric === 'conversion' || metric === 'bounce_rate' ? m.percent : m.number)

function trafficOf(metric: Watched['metric']): Traffic {
  const rows: Readonly<Partial<Record<string, Traffic>>> = traffic
  const row = rows[metric ?? '']
  if (!row) throw new Error(`${metric} is not a metric of traffic`)
  return row
}

const keyOf = (series: Series): string => series.map(spans => spans.map(({ from, to }) => `${from}-${to}`).join()).join('/')
