/** Attribution: queries the engine and converts the result to the form of the API. */
import type { Static } from '../../../runtime/table/schema.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import type { AttributionTotal, Credit } from '../../../storage/engine/index.ts'
import { type Model, PARTS } from '../../../storage/engine/vocabulary/attribution.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import {
  type Applied,
  change,
  dimensionOf,
  type Engine,
  hasPeople,
  labelOf,
  percentOf,
  periodOf,
  queryOf,
  type Report,
  spanOf,
  withNotes,
} from '../stats/index.ts'
import { m } from './messages.ts'
import type { Attribution, Credit as CreditShown } from './records.ts'

export interface AttributionInput {
  /** Null for purchases. */
  readonly goal: Goal | null
  readonly dimension: string
  readonly models: readonly Model[]
  readonly lookback_days: number
  readonly limit: number
  readonly page: number
}

type Credits = readonly (readonly Credit[])[]

export async function attribution(
  applied: Applied,
  { goal, dimension: name, models, lookback_days, limit, page }: AttributionInput,
  engine: Engine,
): Promise<Report<Static<typeof Attribution>> & { meta: { total: number } }> {
  const { range, comparison, site, meta } = applied
  const dimension = dimensionOf(name)
  if (!dimension) throw new Error(`no dimension ${name}`)
  const isLinked = hasPeople(site)
  const { totals, rows, values, notes } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'attribution',
      goal,
      dimension: name,
      spans: [range, ...(comparison ? [comparison] : [])].map(one => spanOf(site.timezone, one, one)),
      lookbackDays: isLinked ? lookback_days : 0,
      models,
      offset: (page - 1) * limit,
      limit,
    },
  })
  const [total = nothing, before] = totals
  const byModel = (credits: Credits) =>
    Object.fromEntries(
      models.map((model, i) => [
        model,
        shown(
          credits.map(each => each[i] ?? none),
          totals,
        ),
      ]),
    )
  return {
    data: {
      period: periodOf(range),
      goal_id: goal?.id ?? null,
      goal: goal?.name ?? null,
      dimension: name,
      lookback_days,
      models: [...models],
      total: totalShown(total),
      rows: rows.map(({ value, credits }) => ({
        value: value === '' ? dimension.blank : value,
        label: labelOf(dimension, value),
        models: byModel(credits),
      })),
      other: values === rows.length ? null : byModel(remaining(totals, models, rows)),
      ...(comparison && before && { comparison: { period: periodOf(comparison), total: totalShown(before) } }),
    },
    meta: {
      ...withNotes(
        isLinked ? { ...meta, identified: total.conversions === 0 ? null : percentOf(total.identified, total.conversions) } : meta,
        [...notes, ...(isLinked ? [] : [{ code: 'paths_of_one', message: m.paths_of_one({ identity: fieldTerm('identity') }) }])],
      ),
      total: values,
    },
  }
}

/** The report for a caller who may not see purchases, of a site without goals. */
export function withoutGoal(
  { range, meta }: Applied,
  { dimension, models, lookback_days }: Pick<AttributionInput, 'dimension' | 'models' | 'lookback_days'>,
): Report<Static<typeof Attribution>> & { meta: { total: number } } {
  return {
    data: {
      period: periodOf(range),
      goal_id: null,
      goal: null,
      dimension,
      lookback_days,
      models: [...models],
      total: totalShown(nothing),
      rows: [],
      other: null,
    },
    meta: { ...withNotes(meta, [{ code: 'no_goals', message: m.no_goals() }]), total: 0 },
  }
}

const none: Credit = { parts: 0, revenue: 0 }
const nothing: AttributionTotal = { conversions: 0, revenue: 0, identified: 0, touches: 0 }

const totalShown = ({ conversions, revenue, identified, touches }: AttributionTotal) => ({
  conversions,
  revenue,
  identified,
  visits_each: conversions === 0 ? null : Math.round((touches / conversions) * 100) / 100,
})

/** @param credits of one model, in the period and in the comparison */
function shown(credits: readonly Credit[], totals: readonly AttributionTotal[]): Static<typeof CreditShown> {
  const [now, before] = credits.map(({ parts, revenue }, i) => ({
    conversions: parts / PARTS,
    revenue,
    share: totals[i]?.conversions ? percentOf(parts, totals[i].conversions * PARTS) : null,
  }))
  if (!now) throw new Error('a period was not counted')
  if (!before) return now
  return {
    ...now,
    comparison: {
      ...before,
      change: { conversions: change(now.conversions, before.conversions), revenue: change(now.revenue, before.revenue) },
    },
  }
}

/** The totals without these rows. */
const remaining = (
  totals: readonly AttributionTotal[],
  models: readonly Model[],
  rows: readonly { readonly credits: Credits }[],
): Credits =>
  totals.map(({ conversions, revenue }, span) =>
    models.map((_, model) =>
      rows.reduce(
        (left, { credits }) => ({
          parts: left.parts - (credits[span]?.[model]?.parts ?? 0),
          revenue: left.revenue - (credits[span]?.[model]?.revenue ?? 0),
        }),
        { parts: conversions * PARTS, revenue },
      ),
    ),
  )
