/** How each kind of alert is measured. */
import { among } from '../../../../runtime/table/schema.ts'
import { vitalNames } from '../../../reports/stats/index.ts'
import type { Kind } from '../condition.ts'
import { isUnusual, score } from '../anomaly.ts'
import { checksDown, firstToExpire } from './checks.ts'
import { dataSince, silentFor } from './hits.ts'
import { type Measure, nothingLeft, ofSite, windowOf } from './measure-context.ts'
import { baseline, spanBetween } from './spans.ts'
import { completions, goalOf, samplesOf, unitOf, valueOf, wordsOf } from './traffic.ts'
import { usageOf } from './usage.ts'
import { percentile75 } from './vitals.ts'
import { amount, comparedToThreshold, minutes, number, percent } from './wording.ts'

const HOUR = 3_600_000

const threshold: Measure = ofSite(async (alert, site, measuring) => {
  const { from, to } = windowOf(alert, measuring)
  const [[sample] = []] = await samplesOf(alert, site, [[spanBetween(site.timezone, from, to)]], measuring)
  const value = sample ? valueOf(sample) : null
  if (value === null) return null
  const reads = `${wordsOf(alert, value)} in ${minutes(alert.window_minutes)}`
  return { value, reads, ...comparedToThreshold(alert, value, unitOf(alert)) }
})

const anomaly: Measure = ofSite(async (alert, site, measuring) => {
  const { from, to } = windowOf(alert, measuring)
  const since = await dataSince(site, measuring)
  const before = since === null ? null : baseline(site.timezone, { from, to }, since)
  if (!before) return null
  const series = [[spanBetween(site.timezone, from, to)], ...before]
  const [[sample] = [], ...samples] = await samplesOf(alert, site, series, measuring)
  const value = sample ? valueOf(sample) : null
  const scored = sample && score(sample, samples.flat())
  if (value === null || !scored) return null
  const share = 'of' in sample
  const usual = share ? `${number(percent(scored.usual, 1))} %` : number(Math.round(scored.usual))
  return {
    value,
    breached: isUnusual(scored, alert),
    reads: `${wordsOf(alert, value)} in ${minutes(alert.window_minutes)}`,
    against: `usual at this time of the week is about ${usual}`,
  }
})

const goal: Measure = ofSite(async (alert, site, measuring) => {
  const { from, to } = windowOf(alert, measuring)
  const watched = await goalOf(alert.goal_id ?? '', measuring)
  const { completions: value } = await completions(watched, site, spanBetween(site.timezone, from, to), measuring)
  const reads = `${amount(value, 'completion')} of "${watched.name}" in ${minutes(alert.window_minutes)}`
  return { value, reads, ...comparedToThreshold(alert, value) }
})

const no_data: Measure = ofSite(async (alert, site, measuring) => {
  const patience = alert.threshold ?? 24
  const ms = await silentFor(site, patience * HOUR, measuring)
  const value = Math.round((10 * ms) / HOUR) / 10
  return {
    value,
    breached: ms >= patience * HOUR,
    reads: `no hits for ${amount(value, 'hour')}`,
    against: `alerts after ${amount(patience, 'hour')}`,
  }
})

const usage: Measure = async (alert, measuring) => {
  const used = await usageOf(alert.workspace_id, measuring)
  if (!used) return null
  const { hits, limit, percent: value } = used
  const reads = `${number(hits)} of ${number(limit)} hits this month, ${number(value)} %`
  return { value, reads, ...comparedToThreshold(alert, value, ' %') }
}

const uptime: Measure = ofSite(async (alert, site, measuring) => {
  const checks = await checksDown(alert, site, measuring)
  if (checks === 'none') return nothingLeft
  if (!checks) return null
  const { down, all } = checks
  const names = [...down.slice(0, 5), ...(down.length > 5 ? ['…'] : [])].join(', ')
  return {
    value: down.length,
    breached: down.length > 0,
    // Not first in the sentence: a URL does not begin with a capital.
    reads: down.length === 0 ? 'nothing is down' : `${amount(down.length, 'check')} down: ${names}`,
    against: `${amount(all, 'check')} watched`,
  }
})

const ssl: Measure = ofSite(async (alert, site, measuring) => {
  const first = await firstToExpire(alert, site, measuring)
  if (first === 'none') return nothingLeft
  if (!first) return null
  const value = Math.round((first.ms * 10) / (24 * HOUR)) / 10
  const when = value < 0 ? `expired ${amount(-value, 'day')} ago` : `expires in ${amount(value, 'day')}`
  return { value, reads: `the certificate of ${first.name} ${when}`, ...comparedToThreshold(alert, value, ' days') }
})

const vitals: Measure = ofSite(async (alert, site, measuring) => {
  const metric = among(vitalNames, alert.metric ?? '')
  const measured = await percentile75(metric, site, windowOf(alert, measuring), measuring)
  if (!measured) return null
  const { value, samples } = measured
  const unit = metric === 'cls' ? '' : ' ms'
  const rank = `the 75th percentile of ${amount(samples, 'sample')} in ${minutes(alert.window_minutes)}`
  return { value, reads: `${metric.toUpperCase()} of ${number(value)}${unit} at ${rank}`, ...comparedToThreshold(alert, value, unit) }
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
