/** Attribution against brute force: the path of every completion, every model, and sums that are exact. */
import assert from 'node:assert/strict'
import { visitDimensions } from '../../../../../storage/tables/index.ts'
import { type Model, MODELS } from '../../../../../storage/engine/vocabulary/attribution.ts'
import { attribution } from '../../../../../operations/reports/attribution/attribution.ts'
import { breakdown, dimensionOf } from '../../../../../operations/reports/stats/index.ts'
import { askedOfHits, type Instants, lies, type Oracle, type OracleGoal, pagesOf, type Visit } from '../oracle.ts'
import type { Asked } from '../questions.ts'

const DAY_MS = 86_400_000
const PARTS = 10_000
type Credits = Map<string, { conversions: number; revenue: number }>

export async function attributionAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before,
    engine,
    drawn,
  } = asked
  const wanted = drawn.limit % 4 === 0 ? null : (oracle.goals[drawn.goals[0] ?? 0] ?? null)
  const goal = applied.goals.find(({ id }) => id === wanted?.id) ?? null
  const dimension = visitDimensions.find(name => name === drawn.dimension) ?? (drawn.limit % 2 === 0 ? 'utm_campaign' : 'source')
  const lookback_days = [1, 2, 5, 30, 365][drawn.goals[1] ?? 0] ?? 3
  const input = { goal, dimension, models: MODELS, lookback_days, limit: drawn.limit, page: 1 }
  const { data, meta } = await attribution(applied, input, engine)

  const count = { oracle, wanted, dimension, lookback: lookback_days * DAY_MS, filters }
  const expected = [part, before].flatMap(range => (range ? [creditsIn(range, count)] : []))
  const [now, then] = expected
  if (!now) return
  assert.deepEqual(data.total, now.total)
  assert.deepEqual(data.comparison?.total, then?.total)
  const blank = dimensionOf(dimension)?.blank ?? ''
  const values = new Set(expected.flatMap(each => MODELS.flatMap(model => [...each.of[model].keys()])))
  assert.equal(meta.total, values.size)
  assert.equal(data.rows.length, Math.min(drawn.limit, values.size))

  for (const model of MODELS) {
    for (const [i, each] of expected.entries()) {
      const shown = [...data.rows.map(row => row.models[model]), data.other?.[model]]
      const figures = shown.flatMap(one => (i === 0 ? one : one?.comparison) ?? [])
      const parts = figures.reduce((sum, { conversions }) => sum + Math.round(conversions * PARTS), 0)
      assert.equal(parts, each.total.conversions * PARTS, `${model} has exactly the completions of the total`)
      assert.equal(
        figures.reduce((sum, { revenue }) => sum + revenue, 0),
        each.total.revenue,
        `${model} has exactly the revenue of the total`,
      )
      for (const row of data.rows) {
        const found = i === 0 ? row.models[model] : row.models[model]?.comparison
        const value = row.value === blank ? '' : row.value
        const { conversions, revenue } = each.of[model].get(value) ?? { conversions: 0, revenue: 0 }
        assert.ok(Math.abs((found?.conversions ?? NaN) - conversions) < 1.5 / PARTS, `${model} of ${value}`)
        assert.ok(Math.abs((found?.revenue ?? NaN) - revenue) < 1.5, `${model} of ${value}`)
      }
    }
  }
  const sizes = data.rows.map(row => row.models.first?.conversions ?? 0)
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  )
  await totalsAgree(asked, goal?.id ?? null, data.total)
}

/** The total is the total of the goal in the breakdown by goals, where the goal is listed. */
async function totalsAgree({ applied, filters, engine }: Asked, goal: string | null, total: { conversions: number; revenue: number }) {
  const dimension = dimensionOf('goal') ?? assert.fail()
  if (goal === null || filters.some(filter => JSON.stringify(filter).includes('goal'))) return
  const { data } = await breakdown(applied, { dimension, page: { limit: 100, page: 1, sort: 'visits' }, engine })
  const row = data.rows.find(({ value }) => value === goal)
  assert.deepEqual([total.conversions, total.revenue], [row?.conversions ?? 0, row?.revenue ?? 0])
}

interface CountIn {
  readonly oracle: Oracle
  /** Null for purchases. */
  readonly wanted: OracleGoal | null
  readonly dimension: string
  /** Ms. */
  readonly lookback: number
  readonly filters: Asked['filters']
}

const startOf = (visit: Visit) => visit.hits[0]!.at

function creditsIn(range: Instants, { oracle, wanted, dimension, lookback, filters }: CountIn) {
  const { groups, events, goals, properties } = askedOfHits(filters)
  const isOnlyGoal = goals.length === 1 && groups.length + events.length + properties.length === 0
  const meets = wanted && isOnlyGoal ? () => true : oracle.meeting(filters)
  const of = Object.fromEntries(MODELS.map(model => [model, new Map()])) as Record<Model, Credits>
  const total = { conversions: 0, revenue: 0, identified: 0, visits_each: null as number | null }
  let touches = 0
  for (const visit of oracle.kept(filters)) {
    const hits = visit.hits.filter(
      one => lies(range, visit, one.at) && meets(visit, one) && (wanted ? oracle.completes(visit, one, wanted) : one.revenue !== 0),
    )
    const conversions = hits.filter(one => wanted !== null || one.revenue > 0).length
    const worth = wanted && oracle.worth(wanted.id, hits)
    const revenue = worth ? worth.revenue : hits.reduce((sum, one) => sum + one.revenue, 0)
    if (conversions === 0 && revenue === 0) continue
    const { person } = visit
    const at = startOf(visit)
    const others = oracle.visits.filter(
      other => person !== null && other.person?.id === person.id && startOf(other) < at && startOf(other) >= at - lookback,
    )
    const path = [...others.sort((a, b) => startOf(a) - startOf(b)), visit]
    total.conversions += conversions
    total.revenue += revenue
    if (person) total.identified += conversions
    touches += conversions * path.length
    for (const model of MODELS) {
      for (const [i, share] of sharesOf[model](path).entries()) {
        if (share === 0) continue
        const value = valueOf(dimension, path[i]!)
        const known = of[model].get(value) ?? { conversions: 0, revenue: 0 }
        of[model].set(value, { conversions: known.conversions + share * conversions, revenue: known.revenue + share * revenue })
      }
    }
  }
  if (total.conversions > 0) total.visits_each = Math.round((touches / total.conversions) * 100) / 100
  return { total, of }
}

function valueOf(dimension: string, visit: Visit): string {
  if (dimension === 'entry_page') return pagesOf(visit)[0]?.page ?? ''
  if (dimension === 'exit_page') return pagesOf(visit).at(-1)?.page ?? ''
  return visit.first[dimension as 'country'] ?? ''
}

const one = (count: number, place: number) => Array.from({ length: count }, (_, i) => (i === place ? 1 : 0))
const normal = (weights: readonly number[]) => weights.map(weight => weight / weights.reduce((sum, each) => sum + each, 0))

/** The share of each visit of a path, in the order of time. */
const sharesOf: Readonly<Record<Model, (path: readonly Visit[]) => readonly number[]>> = {
  first: ({ length }) => one(length, 0),
  last: ({ length }) => one(length, length - 1),
  last_non_direct(path) {
    const place = path.findLastIndex(({ first: { channel } }) => channel !== 'Direct' && channel !== '')
    return one(path.length, place < 0 ? path.length - 1 : place)
  },
  linear: path => normal(path.map(() => 1)),
  position: ({ length }) =>
    length < 3
      ? normal(one(length, 0).map(() => 1))
      : Array.from({ length }, (_, i) => (i === 0 || i === length - 1 ? 0.4 : 0.2 / (length - 2))),
  time_decay: path => normal(path.map(visit => 0.5 ** ((startOf(path.at(-1)!) - startOf(visit)) / (7 * DAY_MS)))),
}
