/** A dashboard is an ordered list of cards; each shows one report of one site. */
import { Type } from '@sinclair/typebox'
import { type Caller, maySee } from '../../../runtime/table/caller.ts'
import { DateTime, Id, iso, OneOf, optional, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { DashboardRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'

export const ids = { dashboard: idKind('dash_') }

export const cardTypes = ['metric', 'chart', 'breakdown', 'goal', 'live', 'funnel', 'uptime', 'vitals', 'table'] as const
export type CardType = (typeof cardTypes)[number]

export const cardFields = {
  type: OneOf(cardTypes, {
    description:
      'Type of the card. `metric`: one headline metric; `chart`: the same over time; `breakdown`: top values of a dimension; ' +
      '`goal`: conversions of the goals; `live`: live visitors; `funnel`: one funnel; `uptime`: checks and their ' +
      'availability; `vitals`: web vitals; `table`: metrics by up to three dimensions, as in `stats_query`.',
  }),
  site_id: Id({ description: 'Site of the card.' }),
  title: Type.String({ maxLength: 200, description: 'Heading of the card.' }),
}

export const cardSizes = ['small', 'half', 'full'] as const
export type CardSize = (typeof cardSizes)[number]
/** Optional, because cards of older dashboards have none. */
export const cardSize = OneOf(cardSizes, {
  description:
    'Width of the card on pages: a row has up to four `small` cards, two of `half` or one of `full`. Defaults to `small` for a metric, ' +
    '`full` for a chart, a table and web vitals, and `half` for others.',
})
const usualSizes: Readonly<Partial<Record<CardType, CardSize>>> = { metric: 'small', chart: 'full', vitals: 'full', table: 'full' }
export const sizeOf = ({ type, size }: Pick<Card, 'type' | 'size'>): CardSize => size ?? usualSizes[type] ?? 'half'

const text = (description: string) => optional(Type.String({ maxLength: 400, description }))
export const paramFields = {
  period: text('Period, as in reports, except `custom`. Defaults to `30d`.'),
  metric: text(
    'For metric and chart: a headline metric. Defaults to `visitors`. For breakdown: metric to sort by. For table: the same, or `time`.',
  ),
  dimension: text('For breakdown: dimension. Defaults to `page`.'),
  dimensions: text('For table: up to three dimensions with commas between them, for example `country,device`. Defaults to none.'),
  metrics: text('For table: metrics with commas between them. Defaults to `visitors,visits,pageviews`.'),
  order: text('For table: `asc` or `desc`.'),
  filters: optional(Type.String({ maxLength: 2_000, description: 'For table: filters as in reports, as JSON text.' })),
  funnel_id: text('For funnel: id of a funnel of the site.'),
}

export const Card = record(
  'DashboardCard',
  {
    ...cardFields,
    title: optional(cardFields.title),
    size: optional(cardSize),
    params: Type.Object(paramFields, { description: 'Parameters of the report. Parameters that the type does not use are ignored.' }),
  },
  'A card of a dashboard.',
)
export type Card = Static<typeof Card>

export const Dashboard = record(
  'Dashboard',
  {
    id: Type.String({ description: 'Prefix `dash_`.' }),
    name: Type.String({ description: 'Name of the dashboard.' }),
    cards: Type.Array(Card, { description: 'Cards in order. A token restricted to sites sees only the cards of its sites.' }),
    created_at: DateTime({ description: 'When the dashboard was created.' }),
    updated_at: DateTime({ description: 'When the dashboard was last changed.' }),
  },
  'A dashboard: cards with reports on sites of the workspace.',
)

export const dashboard = subject<'dashboard', DashboardRow>({
  name: 'dashboard',
  table: 'dashboards',
  async find(db, id) {
    const row = await db.selectFrom('dashboards').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  lock: (db, id) =>
    db
      .updateTable('dashboards')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

export const allCards = ({ cards }: Pick<DashboardRow, 'cards'>): Card[] => JSON.parse(cards) as Card[] // stored in this form

/** Returns the cards that this caller may see, in order; `index` refers to this list. */
export const cardsFor = (caller: Caller, row: DashboardRow): Card[] =>
  allCards(row).filter(card => maySee(caller, row.workspace_id, card.site_id) && !isRankedByHidden(caller, card))

/** Whether the order of its rows would reveal a metric that is hidden from the caller. */
const isRankedByHidden = ({ limits }: Caller, { type, params }: Card): boolean =>
  (type === 'breakdown' || type === 'table') && limits?.hidden.has(params.metric ?? '') === true

export function toDashboard(row: DashboardRow, caller: Caller): Static<typeof Dashboard> {
  return {
    id: row.id,
    name: row.name,
    cards: cardsFor(caller, row),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
