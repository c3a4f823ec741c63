/** Finds the largest changes between two periods with a single query: metrics of the site, and values of some dimensions. */
import type { Static } from '../../../runtime/table/schema.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { hasSeveralCurrencies, type LiveSite } from '../../sites/sites/records.ts'
import { type Applied, type Note, resultOf, periodOf, queryOf, type Report, resolvePeriod, spanOf, withNotes } from '../stats/index.ts'
import { dimensionOf, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import { FILTER_LIMITS } from '../../sites/segments/index.ts'
import { impactOf } from '../../../storage/engine/vocabulary/impact.ts'
import type { Sums } from '../../../storage/engine/vocabulary/sums.ts'
import type { Change, Engine } from '../../../storage/engine/index.ts'
import { change, figures, metrics } from '../../../storage/engine/vocabulary/metrics.ts'
import { type Insights, type Kind, KINDS, METRICS } from './records.ts'
import { ofSite, ofValue } from './wording.ts'
import { m } from './messages.ts'

type Insight = Static<typeof Insights>['rows'][number]

/** Smallest number of visitors of both periods together. */
const MIN_VISITORS = 10

/**
 * Returns the two periods to compare, as parameters of a report. `7d` means the last 7 complete days up to yesterday and the 7
 * days before; other periods are the same as in every report.
 * @param now epoch ms
 */
export function comparedPeriods(site: LiveSite, period: string, now: number): ComparedPeriods {
  const days = Number(/^(\d+)d$/.exec(period)?.[1] ?? 0)
  if (days === 0) return { period, compare: 'previous_period' }
  const clock = { zone: site.timezone, now, firstHitAt: null }
  const yesterday = resolvePeriod({ period: 'yesterday' }, clock)
  if (!yesterday.ok) throw new Error('yesterday was not resolved')
  const { toDay } = yesterday.value
  return {
    period: 'custom',
    from: dateOf(toDay - days + 1),
    to: dateOf(toDay),
    compare: 'previous_period',
  }
}

/** The two periods to compare, as parameters of a report. */
export type ComparedPeriods = Pick<Insight['query']['input'], 'period' | 'from' | 'to' | 'compare'>

interface InsightsInput {
  readonly applied: Applied
  readonly periods: ComparedPeriods
  readonly limit: number
  readonly engine: Engine
}

/** Returns the largest changes first. @param applied resolved parameters, with both ranges */
export async function insights({ applied, periods, limit, engine }: InsightsInput): Promise<Report<Static<typeof Insights>>> {
  const { range, comparison, site, goals, meta } = applied
  if (!comparison) throw new Error('insights compare two ranges')
  const [span, compared] = [spanOf(site.timezone, range, range), spanOf(site.timezone, comparison, comparison)]
  const {
    each: [counted, ...changed],
    notes,
  } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'several',
      each: [
        { report: 'totals', series: [[span], [compared]] },
        ...KINDS.map(
          kind =>
            ({
              report: 'changes',
              dimension: kind,
              span,
              compared,
              min: MIN_VISITORS,
              limit,
              maxLength: FILTER_LIMITS.value,
              blank: kind === 'source',
            }) as const,
        ),
      ],
    },
  })

  const query = (...filters: string[][]): Insight['query'] => ({
    operation: 'stats_aggregate',
    input: { site_id: site.id, ...periods, filters },
  })
  const [current, previous] = resultOf('totals', counted).series.flat()
  if (!current || !previous) throw new Error('a span was not counted')
  const goalNames = new Map(goals.map(({ id, name }) => [id, name]))
  const rows = [
    ...changesOfSite(current, previous, site.currency)
      .filter(({ metric }) => metrics[metric].unit !== 'money' || !hasSeveralCurrencies(site))
      .map(row => ({ ...row, query: query() })),
    ...KINDS.flatMap((kind, i) =>
      resultOf('changes', changed[i]).changes.map(one => ({
        ...changeOfValue(kind, one, goalNames),
        query: query([kind, 'is', one.value]),
      })),
    ),
  ].sort((a, b) => b.impact - a.impact)
  return {
    data: { period: periodOf(range), comparison: { period: periodOf(comparison) }, rows: rows.slice(0, limit) },
    meta:
      previous.visits === 0
        ? withNotes({ ...meta, notes: meta.notes.filter(({ code }) => code !== 'comparison_before_first_day') }, [...notes, nothingBefore])
        : withNotes(meta, notes),
  }
}

const nothingBefore: Note = Object.freeze({
  code: 'nothing_before',
  message: m.nothing_before(),
})

function changesOfSite(currentSums: Sums, previousSums: Sums, currency: string): Omit<Insight, 'query'>[] {
  if (currentSums.visitors + previousSums.visitors < MIN_VISITORS) return []
  const [to, from] = [figures(METRICS, currentSums), figures(METRICS, previousSums)]
  const visitors = Math.max(currentSums.visitors, previousSums.visitors)
  return METRICS.flatMap(metric => {
    const { unit } = metrics[metric]
    // Rates and means are meaningless without visits.
    if (unit !== 'count' && unit !== 'money' && (currentSums.visits === 0 || previousSums.visits === 0)) return []
    const [current, previous] = [to[metric], from[metric]]
    if (current === previous) return []
    const changed = { metric, current, previous, change: change(current, previous, unit) }
    const impact = impactOf({ to: current, from: previous, visitors, isCount: unit === 'count' })
    const message = ofSite(changed, currency)
    return [{ message, dimension: null, value: null, label: null, ...changed, impact: rounded(impact) }]
  })
}

function changeOfValue(kind: Kind, { value, now, before }: Change, goalNames: ReadonlyMap<string, string>): Omit<Insight, 'query'> {
  const dimension = dimensionOf(kind)
  if (!dimension) throw new Error(`no dimension ${kind}`)
  const label = (kind === 'goal' ? goalNames.get(value) : undefined) ?? labelOf(dimension, value)
  const changed = { metric: 'visitors', current: now, previous: before, change: change(now, before) } as const
  const impact = rounded(impactOf({ to: now, from: before, visitors: Math.max(now, before) }))
  return { message: ofValue(kind, label, changed), dimension: kind, value, label, ...changed, impact }
}

const rounded = (impact: number): number => Math.round(impact * 10) / 10
