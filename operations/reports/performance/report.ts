/** Reports the web vitals of a site or a page, for reports, dashboards and alerts. */
import type { Static } from '../../../runtime/table/schema.ts'
import { type Applied, periodOf, queryOf, type Report, spanOf, withNotes } from '../stats/index.ts'
import { dimensionOf, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import type { Measured, Engine, VitalFound } from '../../../storage/engine/index.ts'
import { change, percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import { ratingOf, type VitalName, webVitals as table } from '../../../storage/values/web-vitals.ts'
import type { VitalRow, Vitals } from './records.ts'

/** @param path of a page; null for the whole site */
export async function webVitalsReport(applied: Applied, path: string | null, engine: Engine): Promise<Report<Static<typeof Vitals>>> {
  const {
    range,
    comparison,
    site: { timezone },
    meta,
  } = applied
  const spans = [range, ...(comparison ? [comparison] : [])].map(one => spanOf(timezone, one, one))
  const answer = await engine.query({ ...queryOf(applied), asked: { report: 'vitals', spans, page: path } })
  return {
    data: {
      period: periodOf(range),
      rows: vitalRows(answer.spans),
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(meta, answer.notes),
  }
}

/** @param spans results for the range and, if any, its comparison */
export function vitalRows([now = [], before]: readonly (readonly VitalFound[])[]): Static<typeof VitalRow>[] {
  return now.map(({ metric, devices, ...all }, i) => {
    const { name, unit } = table[metric]
    const compared = before?.[i]
    return {
      value: metric,
      label: name,
      unit,
      ...rated(metric, all),
      devices: devices.map(({ device, ...one }) => ({ value: device, label: labelOfDevice(device), ...rated(metric, one) })),
      ...(compared
        ? {
            comparison: {
              ...rated(metric, compared),
              change: { p75: all.value === null || compared.value === null ? null : change(all.value, compared.value) },
            },
          }
        : {}),
    }
  })
}

function rated(metric: VitalName, { samples, value: p75, good, poor }: Measured) {
  return {
    samples,
    p75,
    rating: p75 === null ? null : ratingOf(metric, p75),
    good: percentOf(good, samples),
    needs_improvement: percentOf(samples - good - poor, samples),
    poor: percentOf(poor, samples),
  }
}

function labelOfDevice(value: string): string {
  const device = dimensionOf('device')
  return device ? labelOf(device, value) : value
}
