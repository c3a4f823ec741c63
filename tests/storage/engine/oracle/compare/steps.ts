/** Funnels and experiments against brute force. */
import assert from 'node:assert/strict'
import { experiment } from '../../../../../operations/reports/experiments/experiment.ts'
import { funnelReport, windowMs } from '../../../../../operations/reports/funnels/index.ts'
import { dimensionOf } from '../../../../../storage/engine/vocabulary/dimensions.ts'
import { visitDimensions } from '../../../../../storage/tables/index.ts'
import { experimentOf } from '../oracle/experiments.ts'
import { funnelOf } from '../oracle/funnel.ts'
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
  const window = [undefined, '20m', undefined, '2h', '3d'][(drawn.limit + (drawn.goals[0] ?? 0)) % 5]
  const dimension = visitDimensions.find(name => name === drawn.dimension && name !== 'hostname')
  const by = dimension ?? (drawn.limit % 2 === 0 ? 'device' : '')
  const order = drawn.limit % 3 === 0 ? 'strict' : 'any_between'
  const { data } = await funnelReport(
    applied,
    {
      id: 'fun_1',
      name: 'Random',
      steps: JSON.stringify(steps.map(({ id }) => ({ ...plain, goal_id: id }))),
    },
    { order, window, by, limit: drawn.limit, times: drawn.limit % 4 !== 1 },
    engine,
  )
  const rules = {
    isStrict: order === 'strict',
    within: window === undefined ? Infinity : windowMs(window),
    ofPeople: window === '3d',
    by: by === '' ? null : by,
  }
  const stages = (report: { metrics: Record<string, number> }, rows: { visits: number; visitors: number }[]) =>
    [report.metrics, ...rows].map(({ visits, visitors }) => ({ visits, visitors }))
  const expected = funnelOf(oracle, steps, part, filters, rules)
  assert.deepEqual(stages(data, data.rows), expected.stages)
  if (drawn.limit % 4 !== 1)
    assert.deepEqual(
      data.rows.map(({ time_median, time_p90 }) => [time_median, time_p90]),
      expected.times,
    )
  if (by !== '') {
    const blank = dimensionOf(by)?.blank ?? ''
    const groups = data.by?.rows ?? assert.fail()
    assert.equal(groups.length, Math.min(drawn.limit, expected.groups.size))
    for (const { value, entered, completed, steps: each } of groups) {
      const [, ...of] = expected.groups.get(value === blank ? '' : value) ?? assert.fail()
      assert.deepEqual([entered, completed, ...each], [of[0]?.visitors, of.at(-1)?.visitors, ...of.map(({ visitors }) => visitors)])
    }
    for (const [i, { entered }] of groups.entries()) assert.ok(entered >= (groups[i + 1]?.entered ?? 0))
  }
  if (!before || !data.comparison) return
  assert.deepEqual(
    stages(
      data.comparison,
      data.rows.flatMap(({ comparison }) => comparison ?? []),
    ),
    funnelOf(oracle, steps, before, filters, rules).stages,
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
