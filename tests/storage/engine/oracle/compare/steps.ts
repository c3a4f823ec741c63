/** Funnels and experiments against brute force. */
import assert from 'node:assert/strict'
import { experiment } from '../../../../../operations/reports/experiments/experiment.ts'
import { funnelReport } from '../../../../../operations/reports/funnels/index.ts'
import { experimentOf } from '../oracle/experiments.ts'
import { funnelOf } from '../oracle/funnel.ts'
import type { Instants } from '../oracle.ts'
import type { Asked } from '../questions.ts'

const plain = { name: null, kind: null, path: null, event: null, property: null, value: null }

export async function funnelAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before,
    engine,
    drawn,
  } = asked
  const steps = drawn.goals.map(i => oracle.goals[i] ?? assert.fail())
  const { data } = await funnelReport(
    applied,
    {
      id: 'fun_1',
      name: 'Random',
      steps: JSON.stringify(steps.map(({ id }) => ({ ...plain, goal_id: id }))),
    },
    engine,
  )
  const stages = (report: { metrics: Record<string, number> }, rows: { visits: number; visitors: number }[]) =>
    [report.metrics, ...rows].map(({ visits, visitors }) => ({ visits, visitors }))
  const expected = (range: Instants) => funnelOf(oracle, steps, range, filters)
  assert.deepEqual(stages(data, data.rows), expected(part))
  if (!before || !data.comparison) return
  assert.deepEqual(
    stages(
      data.comparison,
      data.rows.flatMap(({ comparison }) => comparison ?? []),
    ),
    expected(before),
  )
}

export async function experimentAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before,
    engine,
    drawn,
  } = asked
  const wanted = oracle.goals[drawn.goals[0] ?? 0] ?? assert.fail()
  const of = applied.goals.find(({ id }) => id === wanted.id) ?? assert.fail()
  const { data, meta } = await experiment({ applied, goal: of, experimentInput: { property: 'plan', wished_uplift: 10 }, engine })
  const expected = experimentOf(oracle, 'plan', wanted, part, filters)
  const countsOf = ({ visitors, visits, converters, conversions, first_shown_at }: (typeof data.rows)[number]) => ({
    visitors,
    visits,
    converters,
    conversions,
    firstShownAt: Date.parse(first_shown_at ?? ''),
  })
  assert.deepEqual(new Map(data.rows.map(row => [row.value, countsOf(row)])), expected.arms)
  assert.equal(
    meta.notes.some(({ code }) => code === 'several_variants'),
    expected.mixed > 0,
  )
  const told = meta.notes.some(({ message }) => String(message).endsWith(`: ${expected.mixed} in the period.`))
  assert.equal(told, expected.mixed > 0)
  for (const [i, row] of data.rows.entries()) assert.ok(row.visits >= (data.rows[i + 1]?.visits ?? 0))
  if (!before) return
  const { arms } = experimentOf(oracle, 'plan', wanted, before, filters)
  for (const { value, comparison } of data.rows) {
    const { visitors, visits, converters, conversions } = comparison ?? assert.fail()
    const { firstShownAt: _, ...counts } = arms.get(value) ?? { visitors: 0, visits: 0, converters: 0, conversions: 0, firstShownAt: 0 }
    assert.deepEqual({ visitors, visits, converters, conversions }, counts)
  }
}
