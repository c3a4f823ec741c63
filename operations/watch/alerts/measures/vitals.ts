/** Web vitals of a window, counted as in reports. */
import type { VitalName } from '../../../reports/stats/index.ts'
import type { LiveSite } from '../../../sites/sites/records.ts'
import type { MeasureContext } from './measure-context.ts'
import { spanBetween } from './spans.ts'

/** With fewer samples, a percentile says little. */
const MIN_SAMPLES = 20

/**
 * Computes the 75th percentile of a vital. Vitals have no time of their own. On a day that the window covers in part, only the
 * vitals of visits that were active in the window count.
 * @returns in ms, or as the score for cls; null with fewer than 20 samples
 */
export async function percentile75(
  { scope, engine, once }: MeasureContext,
  { metric, site, from, to }: { metric: VitalName; site: LiveSite; from: number; to: number },
): Promise<{ value: number; samples: number } | null> {
  const spans = [spanBetween(site.timezone, from, to)]
  const answer = await once(`vitals ${site.number} ${from}-${to}`, async () =>
    engine.query({ ...(await scope(site, spans)), asked: { report: 'vitals', spans, page: null } }),
  )
  const found = answer.spans[0]?.find(vital => vital.metric === metric)
  return !found || found.value === null || found.samples < MIN_SAMPLES ? null : { value: found.value, samples: found.samples }
}
