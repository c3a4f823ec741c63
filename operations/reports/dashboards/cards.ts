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
  description: `Cards in order, at most ${MAX_CARDS}. All patterns in their filters together have the same limit as the patterns of one filter.`,
  [checkedBy]: (given, pointer) => checkCards((Array.isArray(given) ? given : []).map(cardOf), pointer).flat(),
})

export const periods = PERIODS.filter(period => period !== 'custom')

type Params = Card['params']
type Param = keyof Params

/** Returns the accepted values of a parameter if the value is not one of them. */
const wrong: Readonly<Record<Exclude<Param, 'funnel_id' | 'filters'>, (value: string) => string | undefined>> = {
  period: value => (value !== 'custom' && isPeriod(value) ? undefined : periods.join(', ')),
  metric: oneOf(headline),
  dimension: value => (dimensionOf(value) ? undefined : DIMENSIONS_KNOWN),
  dimensions: value => (unknownDimensions(tableParams({ dimensions: value }).dimensions).length === 0 ? undefined : TABLE_DIMENSIONS),
  metrics: value => (tableParams({ metrics: value }).isKnown ? undefined : Object.keys(metrics).join(', ')),
  order: oneOf(['asc', 'desc']),
}

function oneOf(values: readonly string[]): (value: string) => string | undefined {
  return value => (values.includes(value) ? undefined : values.join(', '))
}

/** The parameters that each type uses. (A breakdown ignores a metric that it cannot be sorted by.) */
const used: Readonly<Record<CardType, readonly (keyof typeof wrong)[]>> = {
  metric: ['period', 'metric'],
  chart: ['period', 'metric'],
  breakdown: ['period', 'dimension'],
  goal: ['period'],
  live: [],
  funnel: ['period'],
  uptime: [],
  vitals: ['period'],
  table: ['period', 'dimensions', 'metrics', 'order'],
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
  const own = checkCards(cards, '/cards')
  const faults = cards.flatMap((card, i) => {
    const pointer = `/cards/${i}`
    const hidden = !sites.has(card.site_id)
    return [
      ...(hidden ? [notFound(`${pointer}/site_id`, m.no_site, card.site_id)] : []),
      ...(own[i] ?? []),
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

/** Returns faults of each card that do not depend on sites and funnels. Patterns are compiled until they are too large together. */
function checkCards(cards: readonly Card[], pointer: string): (readonly Fault[])[] {
  let states = 0
  return cards.map((card, i) => {
    const checked = checkCard(card, `${pointer}/${i}`, states)
    states = checked.states
    return checked.faults
  })
}

/**
 * Returns faults of a card that do not depend on sites and funnels.
 * @param states total size of the patterns of the cards before it
 * @returns also that size with its own patterns
 */
function checkCard({ type, params }: Card, pointer: string, states: number): { faults: Fault[]; states: number } {
  const faults = used[type].flatMap((name): Fault[] => {
    const value = params[name]
    const wanted = value === undefined ? undefined : wrong[name](value)
    return wanted === undefined ? [] : [notKnown(`${pointer}/params/${name}`, wanted, value)]
  })
  if (type === 'table') {
    const table = checkTable(params, pointer, states)
    return { faults: [...faults, ...table.faults], states: table.states }
  }
  if (type !== 'funnel' || params.funnel_id !== undefined) return { faults, states }
  const at = `${pointer}/params/funnel_id`
  return { faults: [...faults, { pointer: at, code: 'required', message: m.funnel_required({ field: fieldAt(at) }) }], states }
}

function notKnown(pointer: string, known: string, received: string | undefined): Fault {
  return { pointer, code: 'not_in_enum', message: m.not_one_of({ field: fieldAt(pointer), known, received: shown(received) }) }
}

/** Returns faults of filters, and of a table whose dimensions lack a metric, or the metric that it is sorted by. */
function checkTable(params: Params, pointer: string, before: number): { faults: readonly Fault[]; states: number } {
  const { dimensions, metrics: names, metric, filters } = tableParams(params)
  const at = `${pointer}/params/filters`
  const parsed = parseFilters(filters === undefined ? [] : filters, at, before)
  const { states } = parsed
  // The filters are one text: a pointer does not lead into it.
  if (parsed.faults.length > 0) return { faults: parsed.faults.map(fault => ({ ...fault, pointer: at })), states }
  if (unknownDimensions(dimensions).length > 0) return { faults: [], states }
  const known = metricsOfTable(dimensions, parsed.conditions)
  const isSortable = params.metric === undefined || (metric === 'time' ? dimensions.includes('time') : known.includes(params.metric))
  const faults = [
    ...names.filter(name => !known.includes(name)).map(name => notKnown(`${pointer}/params/metrics`, known.join(', '), name)),
    ...(isSortable ? [] : [notKnown(`${pointer}/params/metric`, known.join(', '), params.metric)]),
  ]
  return { faults, states }
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
