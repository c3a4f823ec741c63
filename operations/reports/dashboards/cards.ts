/** Validates cards: the parameters of each type, and that their sites and funnels exist. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../../runtime/table/caller.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { isPlausibleId } from '../../../runtime/values/ids.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import { Clearable, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import type { Db } from '../../../storage/store.ts'
import {
  dimensionOf,
  DIMENSIONS_KNOWN,
  headline,
  isPeriod,
  metrics,
  metricsOfTable,
  PERIODS,
  TABLE_DIMENSIONS,
  unknownDimensions,
} from '../stats/index.ts'
import { parseFilters } from '../../sites/segments/index.ts'
import { tableParams } from './table-params.ts'
import { type Card, cardFields, cardSize, type CardType, paramFields } from './records.ts'
import { m } from './messages.ts'

const MAX_CARDS = 40

const givenCard = Type.Object(
  {
    ...cardFields,
    title: optional(Clearable(cardFields.title, { description: `${cardFields.title.description} Empty: none.` })),
    size: optional(cardSize),
    params: optional(
      Type.Object(paramFields, {
        additionalProperties: false,
        description: 'Parameters of the report. Parameters that the type does not use are ignored.',
      }),
    ),
  },
  { additionalProperties: false },
)
type CardInput = Static<typeof givenCard>
export const givenCards = Type.Array(givenCard, {
  maxItems: MAX_CARDS,
  description: `Cards in order, at most ${MAX_CARDS}.`,
  [checkedBy]: (given, pointer) =>
    (Array.isArray(given) ? given : []).flatMap((one: CardInput, i) => ownFaults(cardOf(one), `${pointer}/${i}`)),
})

export const periods = PERIODS.filter(period => period !== 'custom')

type Params = Card['params']
type Param = keyof Params

/** Returns the accepted values of a parameter if the value is not one of them. */
const wrong: Readonly<Record<Exclude<Param, 'funnel_id'>, (value: string) => string | undefined>> = {
  period: value => (value !== 'custom' && isPeriod(value) ? undefined : periods.join(', ')),
  metric: oneOf(headline),
  dimension: value => (dimensionOf(value) ? undefined : DIMENSIONS_KNOWN),
  dimensions: value => (unknownDimensions(tableParams({ dimensions: value }).dimensions).length === 0 ? undefined : TABLE_DIMENSIONS),
  metrics: value => (tableParams({ metrics: value }).isKnown ? undefined : Object.keys(metrics).join(', ')),
  order: oneOf(['asc', 'desc']),
  filters: value => parseFilters(tableParams({ filters: value }).filters ?? null).faults.map(({ message }) => String(message))[0],
}

function oneOf(values: readonly string[]): (value: string) => string | undefined {
  return value => (values.includes(value) ? undefined : values.join(', '))
}

/** The parameters that each type uses. (A breakdown ignores a metric that it cannot be sorted by.) */
const used: Readonly<Record<CardType, readonly Exclude<Param, 'funnel_id'>[]>> = {
  metric: ['period', 'metric'],
  chart: ['period', 'metric'],
  breakdown: ['period', 'dimension'],
  goal: ['period'],
  live: [],
  funnel: ['period'],
  uptime: [],
  vitals: ['period'],
  table: ['period', 'dimensions', 'metrics', 'order', 'filters'],
}

/**
 * Returns cards for storage. Does not check references that the dashboard already contained, so that a client can send a
 * record back unchanged even after a site or funnel was deleted.
 * @param before the cards that the caller could see
 */
export async function resolveCards(
  db: Db,
  { caller, given, before = [] }: { caller: Caller; given: readonly CardInput[]; before?: readonly Card[] | undefined },
): Promise<{ cards: Card[]; faults: Fault[] }> {
  const cards = given.map(cardOf)
  const sites = new Set([...before.map(({ site_id }) => site_id), ...(await knownSites(db, caller, cards))])
  const seen = cards.filter(({ type, site_id }) => type === 'funnel' && sites.has(site_id))
  const funnels = new Set([...funnelsIn(before), ...(await knownFunnels(db, seen))])
  const faults = cards.flatMap((card, i) => {
    const pointer = `/cards/${i}`
    const hidden = !sites.has(card.site_id)
    return [
      ...(hidden ? [notFound(`${pointer}/site_id`, m.no_site, card.site_id)] : []),
      ...ownFaults(card, pointer),
      ...funnelFaults(card, pointer, funnels),
    ]
  })
  return { cards, faults }
}

function cardOf({ type, site_id, title, size, params: given = {} }: CardInput): Card {
  const params = (Object.keys(paramFields) as Param[]).map(name => [name, given[name]] as const).filter(([, value]) => value !== undefined)
  const heading = oneLine(title ?? '')
  return { type, site_id, ...(heading && { title: heading }), ...(size && { size }), params: Object.fromEntries(params) }
}

/** Returns faults of a card that do not depend on sites and funnels. */
function ownFaults({ type, params }: Card, pointer: string): Fault[] {
  const faults = [
    ...used[type].flatMap((name): Fault[] => {
      const value = params[name]
      const wanted = value === undefined ? undefined : wrong[name](value)
      if (wanted === undefined) return []
      const at = `${pointer}/params/${name}`
      const message = m.not_one_of({ field: fieldAt(at), known: wanted, received: shown(value) })
      return [{ pointer: at, code: 'not_in_enum', message }]
    }),
    ...(type === 'table' ? tableFaults(params, pointer) : []),
  ]
  if (type !== 'funnel' || params.funnel_id !== undefined) return faults
  const at = `${pointer}/params/funnel_id`
  return [...faults, { pointer: at, code: 'required', message: m.funnel_required({ field: fieldAt(at) }) }]
}

/** Returns faults of a table whose dimensions lack a metric, or the metric that it is sorted by. */
function tableFaults(params: Params, pointer: string): Fault[] {
  const { dimensions, metrics: names, metric, filters } = tableParams(params)
  const parsed = parseFilters(filters ?? [])
  if (unknownDimensions(dimensions).length > 0 || parsed.faults.length > 0) return []
  const known = metricsOfTable(dimensions, parsed.conditions)
  const faultAt = (name: Param, received: string): Fault => {
    const at = `${pointer}/params/${name}`
    return {
      pointer: at,
      code: 'not_in_enum',
      message: m.not_one_of({ field: fieldAt(at), known: known.join(', '), received: shown(received) }),
    }
  }
  const isSortable = params.metric === undefined || (metric === 'time' ? dimensions.includes('time') : known.includes(params.metric))
  return [
    ...names.filter(name => !known.includes(name)).map(name => faultAt('metrics', name)),
    ...(isSortable ? [] : [faultAt('metric', params.metric ?? '')]),
  ]
}

function funnelFaults({ type, site_id, params }: Card, pointer: string, known: ReadonlySet<string>): Fault[] {
  const { funnel_id } = params
  if (type !== 'funnel' || funnel_id === undefined || known.has(keyOf(site_id, funnel_id))) return []
  return [notFound(`${pointer}/params/funnel_id`, m.no_funnel, funnel_id)]
}

const keyOf = (site: string, funnel: string): string => `${site} ${funnel}`

/** Returns the funnels in cards, each with its site. */
const funnelsIn = (cards: readonly Card[]): string[] =>
  cards.flatMap(({ site_id, params: { funnel_id } }) => (funnel_id === undefined ? [] : [keyOf(site_id, funnel_id)]))

async function knownSites(db: Db, caller: Caller, cards: readonly Card[]): Promise<string[]> {
  const asked = cards.map(({ site_id }) => site_id).filter(isPlausibleId)
  if (asked.length === 0) return []
  const rows = await db
    .selectFrom('sites')
    .select('id')
    .where('id', 'in', asked)
    .where('workspace_id', '=', caller.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id).filter(id => caller.siteIds.length === 0 || caller.siteIds.includes(id))
}

async function knownFunnels(db: Db, cards: readonly Card[]): Promise<string[]> {
  const asked = cards.flatMap(({ params: { funnel_id = '' } }) => (isPlausibleId(funnel_id) ? [funnel_id] : []))
  if (asked.length === 0) return []
  const rows = await db.selectFrom('funnels').select(['id', 'site_id']).where('id', 'in', asked).execute()
  return rows.map(({ id, site_id }) => keyOf(site_id, id))
}

const shown = (text: string | undefined): string => JSON.stringify(text?.slice(0, 80))

const notFound = (pointer: string, say: typeof m.no_site | typeof m.no_funnel, id: string): Fault => ({
  pointer,
  code: 'not_found',
  message: say({ field: fieldAt(pointer), received: shown(id) }),
})
