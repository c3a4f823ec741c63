/** A table: the combinations of the values of up to three dimensions, one of which may be points of time. */
import { dimensionOf } from '../vocabulary/dimensions.ts'
import { positives } from '../vocabulary/conditions.ts'
import { type MetricName, metrics, type RateBases } from '../vocabulary/metrics.ts'
import type { Order, Rank, Scope, Span } from '../vocabulary/scope.ts'
import type { CountedSums, Sums } from '../vocabulary/sums.ts'
import { best } from '../scan/best.ts'
import { bounceBasisUnder } from '../scan/bounce-basis.ts'
import { countOver, everything } from '../scan/breakdown.ts'
import type { ResolvedCondition } from '../scan/condition.ts'
import { countTogether, type DayCounter } from '../scan/day-counter.ts'
import { NONE } from '../scan/keys.ts'
import { type Context, ownGoals, resolveAll, silent, withoutConversions } from '../scan/resolve.ts'
import { areCompact, countTable, needsOf, nothingElse, pairsOf, type TableCount } from '../scan/table-count.ts'
import { tableGroups } from '../scan/table-groups.ts'
import { type Part, partOf } from '../scan/table-parts.ts'
import { completionsOf } from '../scan/viewing-visits.ts'
import type { Report } from './report.ts'

export interface TableQuestion {
  readonly report: 'table'
  /** Without time; at most three, each once. */
  readonly dimensions: readonly string[]
  readonly span: Span
  readonly compared: Span | null
  /** Points of time within the span, in order and apart; null if time is not a dimension. */
  readonly points: readonly Span[] | null
  /** For each point, the point of the comparison. */
  readonly comparedPoints: readonly (Span | null)[] | null
  /** The metrics of the rows, so that only these are counted. */
  readonly metrics: readonly MetricName[]
  /** A metric among them, or the place of a dimension; points of time come after the others. */
  readonly sort: MetricName | number
  /** Default `desc`. */
  readonly order?: Order | undefined
  readonly rank?: Rank | undefined
  /** Only these values of the first dimension, each with at most `limit` rows; `offset` is not used. */
  readonly within?: readonly string[] | undefined
  readonly offset: number
  readonly limit: number
}

export interface TableRow {
  /** One for each dimension, in order. */
  readonly values: readonly string[]
  /** The place of its point. */
  readonly point: number
  readonly sums: CountedSums
  readonly compared: CountedSums | null
  /** Visitors who could have converted, here and in `compared`; 0 if the table is not about goals. */
  readonly base: number
  readonly comparedBase: number
}

export interface Table {
  readonly report: 'table'
  readonly rows: TableRow[]
  /** Number of rows on all pages. */
  readonly total: number
  readonly all: Sums
  readonly comparedAll: Sums | null
  /** Whether there were too many combinations to count; then there are no rows. */
  readonly isTooLarge: boolean
}

export const tableReport: Report<TableQuestion, Table> = async (scope, asked, context) => {
  const { where } = scope
  const { span, compared, points, comparedPoints } = asked
  const conditions = await resolveAll(where, context)
  const hasPage = asked.dimensions.includes('page')
  const basis = bounceBasisUnder(context.workspace.narrowings.by(conditions), hasPage ? silent(context) : context)
  const all = (part: Span) => countOver(part, conditions, [everything(basis)], context)
  const hasShare = asked.metrics.includes('share') || asked.sort === 'share'
  const counted = await groupsOf(scope, asked, { conditions, context })

  const isConversionRate = asked.metrics.includes('conversion_rate') || asked.sort === 'conversion_rate'
  const convertible = isConversionRate ? await resolveAll(withoutConversions(where), silent(context)) : []
  const isOverGoals = asked.dimensions.includes('goal')
  const reduced = { ...asked, dimensions: asked.dimensions.filter(name => name !== 'goal') }
  const bases = isConversionRate
    ? isOverGoals
      ? await groupsOf(scope, reduced, { conditions: convertible, context: silent(context) })
      : { ...counted, conditions: convertible, narrowing: context.workspace.narrowings.by(convertible) }
    : null

  const over = (whole: Span, each: readonly (Span | null)[]) => {
    const rows = countTable({ ...counted, points: each }, context)
    const base = bases && countTable({ ...bases, points: each, needs: nothingElse }, context)
    const total = hasShare ? all(whole) : null
    return { rows, base, total, counters: [rows, ...(base ? [base] : []), ...(total ? [total] : [])] as DayCounter[] }
  }
  const now = over(span, points ?? [span])
  const then = compared && over(compared, points ? (comparedPoints ?? []) : [compared])
  const counters = [...now.counters, ...(then ? then.counters : [])]

  return {
    // Of the points too: sums of several days are not added up across the end of a point.
    spans: [span, ...(compared ? [compared] : []), ...(points ?? []), ...(comparedPoints ?? []).flatMap(one => one ?? [])],
    ...countTogether(counters),
    answer() {
      const isTooLarge = counters.some(one => 'isFull' in one && (one as TableCount).isFull())
      const [allNow, allThen] = [now.total?.tallies[0]?.of(0), then?.total?.tallies[0]?.of(0)]
      const baseOf = (count: typeof now, group: number): number => {
        if (!count.base || !bases) return 0
        if (!isOverGoals) return count.base.sumsOf(group).visitors
        const { values, point } = now.rows.partsOf(group)
        const without = bases.groups.find(counted.groups.idsOf(values).slice(0, -1))
        const place = without === NONE ? NONE : now.rows.isSingle ? without : bases.pairs.find(without * now.rows.points + point)
        return place === NONE ? 0 : count.base.sumsOf(place).visitors
      }
      const figure = (count: typeof now, group: number, total: Sums | undefined): number => {
        if (typeof asked.sort === 'number') return 0
        if (isCounted(asked.sort)) return count.rows.figure(group, asked.sort)
        const around: RateBases = { allVisitors: total?.visitors ?? 0, convertible: baseOf(count, group) }
        return metrics[asked.sort].of(count.rows.sumsOf(group), around)
      }
      const namesOf = (group: number) => {
        const { values, point } = now.rows.partsOf(group)
        return { values: inOrder(counted.groups.namesOf(values), asked.dimensions), point }
      }
      const ranked = isTooLarge
        ? { groups: [], total: 0 }
        : rankedRows(asked, {
            count: now.rows.count(),
            rows: () => now.rows.rows(),
            size: group => figure(now, group, allNow),
            before: group => (then ? figure(then, group, allThen) : 0),
            namesOf,
          })
      return {
        report: 'table',
        rows: ranked.groups.map(group => ({
          ...namesOf(group),
          sums: now.rows.sumsOf(group),
          compared: then && then.rows.sumsOf(group),
          base: baseOf(now, group),
          comparedBase: then ? baseOf(then, group) : 0,
        })),
        total: ranked.total,
        all: allNow ?? nothing,
        comparedAll: allThen ?? null,
        isTooLarge,
      }
    },
  }
}

/** Metrics that are sums themselves: thousands of groups are ranked without the others. */
const sums = Object.freeze(['visitors', 'visits', 'pageviews', 'revenue', 'purchases'] as const)
const isCounted = (name: MetricName): name is (typeof sums)[number] => (sums as readonly MetricName[]).includes(name)

const nothing: Sums = Object.freeze({
  ...{ visitors: 0, visits: 0, pageviews: 0, events: 0, revenue: 0, purchases: 0 },
  ...{ bounceBase: 0, bounces: 0, duration: 0, exits: 0, engaged: 0 },
})

interface Under {
  readonly conditions: readonly ResolvedCondition[]
  readonly context: Context
}

/** The groups of a table, and what a count of them needs. */
async function groupsOf({ where, goals }: Scope, asked: TableQuestion, { conditions, context }: Under) {
  const { texts, workspace } = context
  const narrowing = workspace.narrowings.by(conditions)
  const { dimensions, within = null, points, metrics: names, sort } = asked
  const isOver = dimensions.includes('goal')
  const own = ownGoals(where, goals).filter(({ id }) => within === null || dimensions[0] !== 'goal' || within.includes(id))
  const options = { narrowing, goals: own, texts, known: context.known }
  const parts: Part[] = []
  for (const [i, name] of dimensions.entries()) {
    const dimension = dimensionOf(name)
    if (!dimension) throw new Error(`no dimension ${name}`)
    if (positives(where, name).length > 0 && dimension.level !== 'visit') context.note({ code: 'only_matching_hits', dimension: name })
    if (dimension.level !== 'goal') parts.push(await partOf(dimension, options, i === 0 ? within : null))
  }
  const shown = typeof sort === 'number' ? names : [...names, sort]
  const groups = await tableGroups(parts, { hasGoals: isOver, isCompact: parts.length > 1 && areCompact(shown) }, options)
  const basis = bounceBasisUnder(narrowing, silent(context))
  const needs = needsOf(shown, groups, { narrowing, isOverGoals: isOver })
  const completing = needs.brought ? await completionsOf(own, narrowing, texts) : null
  return { groups, pairs: pairsOf(points?.length ?? 1), conditions, narrowing, completing, basis, needs }
}

/** The names of a group in the order of the dimensions; the goal is at the end. */
function inOrder(names: readonly string[], dimensions: readonly string[]): string[] {
  const others = names.values()
  const goal = names.at(-1) ?? ''
  return dimensions.map(name => (name === 'goal' ? goal : (others.next().value ?? '')))
}

interface Ranked {
  readonly count: number
  /** The groups that have a row. */
  rows(): readonly number[]
  size(group: number): number
  before(group: number): number
  namesOf(group: number): { readonly values: readonly string[]; readonly point: number }
}

/** The groups of the page, and the number of groups on all pages. Equal ranks are in the order of their values. */
function rankedRows(
  { sort, order = 'desc', rank = 'value', within, offset, limit, dimensions }: TableQuestion,
  { count, rows, size, before, namesOf }: Ranked,
): { groups: number[]; total: number } {
  const sizes = new Float64Array(count)
  const shown: number[] = []
  if (rank === 'value')
    for (const group of rows()) {
      sizes[group] = size(group)
      shown.push(group)
    }
  else
    for (let group = 0; group < count; group++) {
      sizes[group] = (rank === 'gain' ? 1 : -1) * (size(group) - before(group))
      if (sizes[group]! > 0) shown.push(group)
    }
  const known = new Map<number, { readonly values: string; readonly sorted: string; readonly point: number }>()
  const named = (group: number) => {
    const found = known.get(group)
    if (found) return found
    const { values, point } = namesOf(group)
    const names = { values: values.join('\0'), sorted: typeof sort === 'number' ? (values[sort] ?? '') : '', point }
    known.set(group, names)
    return names
  }
  const sign = order === 'desc' ? 1 : -1
  const isByTime = sort === dimensions.length
  const compare = (a: number, b: number): number => {
    const difference = sizes[b]! - sizes[a]!
    if (difference !== 0) return sign * difference
    const [one, other] = [named(a), named(b)]
    if (isByTime && one.point !== other.point) return sign * (other.point - one.point)
    return sign * inText(other.sorted, one.sorted) || inText(one.values, other.values) || one.point - other.point || a - b
  }
  if (!within) return { groups: best(shown, compare, offset + limit).slice(offset), total: shown.length }
  const left = new Map(within.map(value => [value, limit]))
  const groups = shown.sort(compare).filter(group => {
    const [value = ''] = namesOf(group).values
    const more = left.get(value) ?? 0
    left.set(value, more - 1)
    return more > 0
  })
  return { groups, total: shown.length }
}

const inText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
