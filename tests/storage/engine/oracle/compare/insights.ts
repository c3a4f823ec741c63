/** Insights against brute force: all changes, with their numbers and ranks. */
import assert from 'node:assert/strict'
import { apply, type Engine, spanOf } from '../../../../../operations/reports/stats/index.ts'
import { comparedPeriods, insights } from '../../../../../operations/reports/insights/insights.ts'
import type { LiveSite } from '../../../../../operations/sites/sites/records.ts'
import type { Store } from '../../../../../storage/store.ts'
import { insightsOf } from '../oracle/insights.ts'
import type { Oracle } from '../oracle.ts'

export async function insightsAgree(
  store: Store,
  engine: Engine,
  { site, oracle }: { site: LiveSite; oracle: Oracle },
  now: number,
  { days, limit }: { days: number; limit: number },
): Promise<void> {
  const periods = comparedPeriods(site, `${days}d`, now)
  const applied = await apply(store.read, site, now, periods)
  const { data } = await insights({ applied, periods, limit, engine })
  const { range, comparison } = applied
  const spanIn = (one: typeof range) => spanOf(site.timezone, one, one)
  const expected = insightsOf(oracle, spanIn(range), spanIn(comparison ?? assert.fail())).filter(({ value }) => value !== '(not set)')
  assert.equal(data.rows.length, Math.min(limit, expected.length))
  for (const [i, { dimension, value, metric, current, previous, impact }] of data.rows.entries()) {
    assert.ok(Math.abs(impact - (expected[i]?.impact ?? 0)) <= 0.11) // both are rounded to 0.1
    const same =
      expected.find(one => one.dimension === dimension && one.value === value && one.metric === metric) ??
      assert.fail(`${dimension} ${value}`)
    assert.deepEqual([current, previous], [same.current, same.previous])
    assert.ok(Math.abs(impact - same.impact) <= 0.11)
  }
}
