/** Retention against brute force: every cohort, cell and group. */
import assert from 'node:assert/strict'
import { visitDimensions } from '../../../../../storage/tables/index.ts'
import { RETENTION_INTERVALS } from '../../../../../operations/reports/retention/records.ts'
import { MAX_PERIODS } from '../../../../../operations/reports/retention/input.ts'
import { retention } from '../../../../../operations/reports/retention/retention.ts'
import { lies, type OracleGoal, type Visit } from '../oracle.ts'
import type { Asked } from '../questions.ts'

const dayOf = (date: string) => Date.parse(date) / 86_400_000

export async function retentionAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle, store },
    applied,
    filters,
    engine,
    now,
    drawn,
  } = asked
  const pick = (at: number): OracleGoal | null => (drawn.limit % 3 === 0 ? null : (oracle.goals[drawn.goals[at] ?? 0] ?? null))
  const [born, returned] = [drawn.limit % 2 === 0 ? pick(0) : null, pick(1)]
  const by = visitDimensions.find(name => name === drawn.dimension) ?? ''
  // The longest interval that is asked for and is not refused.
  const days = applied.range.toDay - applied.range.fromDay + 1
  const interval =
    RETENTION_INTERVALS.slice(drawn.limit % 3).find((_, i, { length }) => i === length - 1 || days < MAX_PERIODS * 0.9) ?? 'month'
  const input = { interval, by, limit: drawn.limit, ...(born && { goal_id: born.id }), ...(returned && { return_goal_id: returned.id }) }
  if (interval === 'month' && days > 31 * (MAX_PERIODS - 2)) return
  const { data } = await retention(applied, input, { db: store.read, engine, now })

  const periods = data.cohorts.map(({ first_day, last_day }) => ({
    whole: true,
    from: 0,
    to: 0,
    fromDay: dayOf(first_day),
    toDay: dayOf(last_day),
  }))
  const [first = 0] = periods.map(({ fromDay }) => fromDay)
  const hitsIn = (visit: Visit, part: (typeof periods)[number], goal: OracleGoal | null) =>
    visit.hits.filter(one => lies(part, visit, one.at) && (goal === null || oracle.completes(visit, one, goal)))
  const all = { ...(periods[0] ?? assert.fail()), fromDay: 0, toDay: (periods.at(-1)?.toDay ?? 0) + 2 }
  const identified = oracle.visits.filter(visit => visit.person !== null)
  const kept = new Set(oracle.kept(filters))

  /** The visit with which each person began, by the time of its first hit. */
  const began = new Map<string, { at: number; visit: Visit }>()
  for (const visit of identified) {
    const [hit] = hitsIn(visit, all, born)
    const known = began.get(visit.person!.id)
    if (hit && (known === undefined || hit.at < known.at)) began.set(visit.person!.id, { at: hit.at, visit })
  }
  const cohortOf = (at: number, visit: Visit) => periods.findIndex(part => lies(part, visit, at))
  const members = periods.map(() => [] as string[])
  for (const [id, { at, visit }] of began) {
    if (kept.has(visit) && !lies({ ...all, toDay: first - 1 }, visit, at)) members[cohortOf(at, visit)]?.push(id)
  }
  const visitsOf = (id: string) => identified.filter(visit => visit.person!.id === id)
  const moneyOf = (ids: readonly string[], parts: typeof periods) =>
    ids.flatMap(visitsOf).flatMap(visit => parts.flatMap(part => hitsIn(visit, part, null)))

  for (const [i, cohort] of data.cohorts.entries()) {
    const ids = members[i] ?? []
    assert.equal(cohort.people, ids.length)
    for (const { index, people, revenue } of cohort.cells) {
      const part = periods[i + index] ?? assert.fail()
      const back = ids.filter(id => visitsOf(id).some(visit => hitsIn(visit, part, returned).length > 0))
      assert.deepEqual([index, people], [index, back.length])
      // With a goal, money of the same day before its first completion counts as well: compared without a goal only.
      if (born === null)
        assert.equal(
          revenue,
          moneyOf(ids, [part]).reduce((sum, hit) => sum + hit.revenue, 0),
        )
    }
    if (born === null) {
      const bought = ids.map(id => moneyOf([id], periods.slice(i)).filter(hit => hit.revenue > 0).length)
      assert.deepEqual(
        [cohort.customers, cohort.repeat_customers],
        [1, 2].map(min => bought.filter(count => count >= min).length),
      )
    }
  }
  if (by === '') return
  const sizes = new Map<string, number>()
  for (const id of members.flat()) {
    const { at, visit } = began.get(id) ?? assert.fail()
    const hit = visit.hits.find(one => one.at === at) ?? assert.fail()
    // People are divided by their visits, whose host is the host of the first hit.
    const [value = ''] = by === 'hostname' ? [visit.first.hostname] : oracle.valuesOf(by, visit, hit)
    sizes.set(value, (sizes.get(value) ?? 0) + 1)
  }
  const sorted = [...sizes.values()].sort((a, b) => b - a)
  assert.deepEqual(
    data.groups?.map(({ people }) => people),
    sorted.slice(0, drawn.limit),
  )
}
