/** The data of each type of card: the report in its usual form. */
import { type Static, Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { among, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import {
  Aggregate,
  aggregate,
  apply,
  Breakdown,
  breakdown,
  dimensionOf,
  headline,
  plainMeta,
  type Engine,
  QueryTable,
  queried,
  type ReportMeta,
  SORTS,
  type StatsInput,
  Timeseries,
  timeseries,
} from '../stats/index.ts'
import { Vitals, webVitalsReport } from '../performance/index.ts'
import { FunnelReport, funnelReport } from '../funnels/index.ts'
import { Live, liveReport } from '../live/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type Card, cardFields, type CardType } from './records.ts'
import { SiteUptime, siteUptime } from '../availability/index.ts'
import { tableParams } from './table-params.ts'
import { m } from './messages.ts'

const of = <const T extends CardType>(type: T) => ({
  type: Type.Literal(type, { description: 'Type of the card.' }),
  site_id: cardFields.site_id,
  title: optional(cardFields.title),
})
const metric = OneOf(headline, { description: 'Metric that the card shows.' })

export const MetricCard = record(
  'MetricCard',
  { ...of('metric'), metric, ...Aggregate.properties },
  'Headline metrics; `metric` names the one to show.',
)
export const ChartCard = record('ChartCard', { ...of('chart'), metric, ...Timeseries.properties }, 'Headline metrics over time.')
export const BreakdownCard = record('BreakdownCard', { ...of('breakdown'), ...Breakdown.properties }, 'Top values of a dimension.')
export const GoalCard = record('GoalCard', { ...of('goal'), ...Breakdown.properties }, 'Conversions by goal.')
const { latest: _, ...liveFields } = Live.properties // single hits are on the live page
export const LiveCard = record('LiveCard', { ...of('live'), ...liveFields }, 'Visitors who are on the site now.')
export const FunnelCard = record('FunnelCard', { ...of('funnel'), ...FunnelReport.properties }, 'Progress of visits through a funnel.')
export const UptimeCard = record(
  'UptimeCard',
  { ...of('uptime'), ...SiteUptime.properties },
  'Uptime checks of the site and their availability.',
)
export const VitalsCard = record('VitalsCard', { ...of('vitals'), ...Vitals.properties }, 'Web vitals of the site.')
export const TableCard = record('TableCard', { ...of('table'), ...QueryTable.properties }, 'Metrics by up to three dimensions.')

export const CardData = Type.Union(
  [MetricCard, ChartCard, BreakdownCard, GoalCard, LiveCard, FunnelCard, UptimeCard, VitalsCard, TableCard],
  {
    title: 'CardData',
    description: 'The report of the card in its usual form; `type` selects the form.',
  },
)

interface CardQuery {
  readonly card: Card
  readonly site: LiveSite
  readonly db: Db
  readonly now: number
  readonly engine: Engine
  /** Whether imported history is included. */
  readonly hasImported: boolean
}
type Answer = { data: Static<typeof CardData>; meta: Static<typeof ReportMeta> }

const ROWS = 10
const MAX_GOALS = 100

const appliedTo = ({ card, site, db, now, hasImported }: CardQuery, more: StatsInput = {}) =>
  apply(db, site, now, { period: card.params.period ?? '30d', include_imported: hasImported, ...more })
const metricOf = ({ params }: Card) => among(headline, params.metric ?? 'visitors')
const headOf = ({ site_id, title }: Card) => ({ site_id, ...(title === undefined ? {} : { title }) })
const againstBefore = { compare: 'previous_period' } as const

const answers: Readonly<Record<CardType, (asked: CardQuery) => Promise<Answer>>> = {
  async metric(asked) {
    const { data, meta } = await aggregate(await appliedTo(asked, againstBefore), asked.engine)
    return { data: { type: 'metric', ...headOf(asked.card), metric: metricOf(asked.card), ...data }, meta }
  },
  async chart(asked) {
    const { data, meta } = await timeseries(await appliedTo(asked, againstBefore), asked.engine)
    return { data: { type: 'chart', ...headOf(asked.card), metric: metricOf(asked.card), ...data }, meta }
  },
  async breakdown(asked) {
    const { dimension = 'page', metric } = asked.card.params
    const sort = SORTS.find(each => each === metric) ?? 'visitors'
    const { data, meta } = await rows(asked, dimension, { sort, limit: ROWS })
    return { data: { type: 'breakdown', ...headOf(asked.card), ...data }, meta }
  },
  async goal(asked) {
    const { data, meta } = await rows(asked, 'goal', { sort: 'visitors', limit: MAX_GOALS })
    return { data: { type: 'goal', ...headOf(asked.card), ...data }, meta }
  },
  async live({ card, site, now, engine }) {
    const { data, meta } = await liveReport(site, now, engine)
    const { latest: _, ...figures } = data
    return { data: { type: 'live', ...headOf(card), ...figures }, meta }
  },
  async funnel(asked) {
    const { card, db, site } = asked
    const funnel = await db
      .selectFrom('funnels')
      .selectAll()
      .where('id', '=', card.params.funnel_id ?? '')
      .where('site_id', '=', site.id)
      .executeTakeFirst()
    if (!funnel) fail('invalid_state', m.funnel_gone())
    const { data, meta } = await funnelReport(await appliedTo(asked), funnel, {}, asked.engine)
    return { data: { type: 'funnel', ...headOf(card), ...data }, meta }
  },
  async uptime({ card, site, db, now }) {
    const meta = plainMeta(site)
    return { data: { type: 'uptime', ...headOf(card), ...(await siteUptime(db, site, now)) }, meta }
  },
  async vitals(asked) {
    const { data, meta } = await webVitalsReport(await appliedTo(asked), null, asked.engine)
    return { data: { type: 'vitals', ...headOf(asked.card), ...data }, meta }
  },
  async table(asked) {
    const { dimensions, metrics, metric, order, filters } = tableParams(asked.card.params)
    const asking = { dimensions, metrics, sort: metric, order, limit: ROWS, page: 1 }
    const { data, meta } = await queried(await appliedTo(asked, { filters }), asking, asked.engine)
    return { data: { type: 'table', ...headOf(asked.card), ...data }, meta }
  },
}

export const answerOf = (asked: CardQuery): Promise<Answer> => answers[asked.card.type](asked)

async function rows(asked: CardQuery, name: string, { sort, limit }: { sort: (typeof SORTS)[number]; limit: number }) {
  const dimension = dimensionOf(name)
  if (!dimension) throw new Error(`a card is stored with the dimension ${name}`)
  const { data, meta } = await breakdown(await appliedTo(asked), { dimension, page: { sort, limit, page: 1 }, engine: asked.engine })
  return { data, meta }
}
