/** How each kind of alert is measured. */
import { among } from '../../../../runtime/table/schema.ts'
import { vitalNames } from '../../../reports/stats/index.ts'
import type { Kind } from '../condition.ts'
import { isUnusual, score } from '../anomaly.ts'
import { m } from '../messages.ts'
import { checksDown, firstToExpire } from './checks.ts'
import { dataSince, silentFor } from './hits.ts'
import { type Measure, nothingLeft, ofSite, windowOf } from './measure-context.ts'
import { baseline, spanBetween } from './spans.ts'
import { completions, goalOf, samplesOf, unitOf, valueOf, wordsOf } from './traffic.ts'
import { usageOf } from './usage.ts'
import { percentile75 } from './vitals.ts'
import { comparedToThreshold, days, minutes, percent, vitalUnit } from './wording.ts'
import { HOUR_MS } from '../../../../storage/values/durations.ts'

const threshold: Measure = ofSite(async (alert, site, measuring) => {
  const { from, to } = windowOf(alert, measuring)
  const [[sample] = []] = await samplesOf(alert, { site, series: [[spanBetween(site.timezone, from, to)]], measuring })
  const value = sample ? valueOf(sample) : null
  if (value === null) return null
  const reads = wordsOf(alert, value)
  return { value, reads, ...comparedToThreshold(alert, value, unitOf(alert)) }
})

const anomaly: Measure = ofSite(async (alert, site, measuring) => {
  const { from, to } = windowOf(alert, measuring)
  const since = await dataSince(site, measuring)
  const before = since === null ? null : baseline(site.timezone, { from, to }, since)
  if (!before) return null
  const series = [[spanBetween(site.timezone, from, to)], ...before]
  const [[sample] = [], ...samples] = await samplesOf(alert, { site, series, measuring })
  const value = sample ? valueOf(sample) : null
  const scored = sample && score(sample, samples.flat())
  if (value === null || !scored) return null
  const usual = 'of' in sample ? m.percent({ value: percent(scored.usual, 1) }) : m.number({ value: Math.round(scored.usual) })
  return {
    value,
    breached: isUnusual(scored, alert),
    reads: wordsOf(alert, value),
    against: m.usual({ usual }),
  }
})

const goal: Measure = ofSite(async (alert, site, measuring) => {
  const { from, to } = windowOf(alert, measuring)
  const watched = await goalOf(alert.goal_id ?? '', measuring)
  const { completions: value } = await completions({ goal: watched, site, span: spanBetween(site.timezone, from, to) }, measuring)
  const reads = m.completions_in({ count: value, goal: watched.name, span: minutes(alert.window_minutes) })
  return { value, reads, ...comparedToThreshold(alert, value) }
})

const no_data: Measure = ofSite(async (alert, site, measuring) => {
  const patience = alert.threshold ?? 24
  const ms = await silentFor(site, patience * HOUR_MS, measuring)
  const value = Math.round((10 * ms) / HOUR_MS) / 10
  return {
    value,
    breached: ms >= patience * HOUR_MS,
    reads: m.no_hits({ span: m.hours({ count: value }) }),
    against: m.alerts_after({ span: m.hours({ count: patience }) }),
  }
})

const usage: Measure = async (alert, measuring) => {
  const used = await usageOf(alert.workspace_id, measuring)
  if (!used) return null
  const { hits, limit, percent: value } = used
  const reads = m.hits_this_month({ hits, limit, percent: value })
  return { value, reads, ...comparedToThreshold(alert, value, m.percent) }
}

const uptime: Measure = ofSite(async (alert, site, measuring) => {
  const checks = await checksDown(alert, site, measuring)
  if (checks === 'none') return nothingLeft
  if (!checks) return null
  const { down, all } = checks
  return {
    value: down.length,
    breached: down.length > 0,
    reads: m.checks_down({ count: down.length, names: [...down.slice(0, 5), ...(down.length > 5 ? ['…'] : [])] }),
    against: m.checks_watched({ count: all }),
  }
})

const ssl: Measure = ofSite(async (alert, site, measuring) => {
  const first = await firstToExpire(alert, site, measuring)
  if (first === 'none') return nothingLeft
  if (!first) return null
  const value = Math.round((first.ms * 10) / (24 * HOUR_MS)) / 10
  const { name } = first
  const reads =
    value < 0
      ? m.certificate_expired({ name, span: m.days({ count: -value }) })
      : m.certificate_expires({ name, span: m.days({ count: value }) })
  return { value, reads, ...comparedToThreshold(alert, value, days) }
})

const vitals: Measure = ofSite(async (alert, site, measuring) => {
  const metric = among(vitalNames, alert.metric ?? '')
  const measured = await percentile75(measuring, { metric, site, ...windowOf(alert, measuring) })
  if (!measured) return null
  const { value, samples } = measured
  const unit = vitalUnit(alert)
  const span = minutes(alert.window_minutes)
  const reads = m.percentile_in({ metric: metric.toUpperCase(), value: unit({ value }), samples, span })
  return { value, reads, ...comparedToThreshold(alert, value, unit) }
})

export const measures: Readonly<Record<Kind, Measure>> = {
  threshold,
  anomaly,
  goal,
  no_data,
  usage,
  uptime,
  ssl,
  vitals,
}
