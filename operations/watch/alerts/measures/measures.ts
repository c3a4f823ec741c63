/** How each kind of alert is measured. */
import { among } from '../../../../runtime/schema.ts'
import { vitalNames } from '../../../reports/stats/index.ts'
import type { Kind } from '../condition.ts'
import { isUnusual, score } from '../anomaly.ts'
import { checksDown, firstToExpire } from './checks.ts'
import { dataSince, silentFor } from './hits.ts'
import { type Measure, nothingLeft, ofSite, windowOf } from './moment.ts'
import { baseline, spanBetween } from './spans.ts'
import { completions, goalOf, samplesOf, unitOf, valueOf, wordsOf } from './traffic.ts'
import { usageOf } from './usage.ts'
import { percentile75 } from './vitals.ts'
import { counted, held, minutes, number, percent } from './words.ts'

const HOUR = 3_600_000

const threshold: Measure = ofSite(async (alert, site, moment) => {
  const { from, to } = windowOf(alert, moment)
  const [[sample] = []] = await samplesOf(alert, site, [[spanBetween(site.timezone, from, to)]], moment)
  const value = sample ? valueOf(sample) : null
  if (value === null) return null
  const reads = `${wordsOf(alert, value)} in ${minutes(alert.window_minutes)}`
  return { value, reads, ...held(alert, value, unitOf(alert)) }
})

const anomaly: Measure = ofSite(async (alert, site, moment) => {
  const { from, to } = windowOf(alert, moment)
  const since = await dataSince(site, moment)
  const before = since === null ? null : baseline(site.timezone, { from, to }, since)
  if (!before) return null
  const series = [[spanBetween(site.timezone, from, to)], ...before]
  const [[sample] = [], ...samples] = await samplesOf(alert, site, series, moment)
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

const goal: Measure = ofSite(async (alert, site, moment) => {
  const { from, to } = windowOf(alert, moment)
  const watched = await goalOf(alert.goal_id ?? '', moment)
  const { completions: value } = await completions(watched, site, spanBetween(site.timezone, from, to), moment)
  const reads = `${counted(value, 'completion')} of "${watched.name}" in ${minutes(alert.window_minutes)}`
  return { value, reads, ...held(alert, value) }
})

const no_data: Measure = ofSite(async (alert, site, moment) => {
  const patience = alert.threshold ?? 24
  const ms = await silentFor(site, patience * HOUR, moment)
  const value = Math.round((10 * ms) / HOUR) / 10
  return {
    value,
    breached: ms >= patience * HOUR,
    reads: `no hits for ${counted(value, 'hour')}`,
    against: `alerts after ${counted(patience, 'hour')}`,
  }
})

const usage: Measure = async (alert, moment) => {
  const used = await usageOf(alert.workspace_id, moment)
  if (!used) return null
  const { hits, limit, percent: value } = used
  const reads = `${number(hits)} of ${number(limit)} hits this month, ${number(value)} %`
  return { value, reads, ...held(alert, value, ' %') }
}

const uptime: Measure = ofSite(async (alert, site, moment) => {
  const checks = await checksDown(alert, site, moment)
  if (checks === 'none') return nothingLeft
  if (!checks) return null
  const { down, all } = checks
  const names = [...down.slice(0, 5), ...(down.length > 5 ? ['…'] : [])].join(', ')
  return {
    value: down.length,
    breached: down.length > 0,
    reads: down.length === 0 ? 'nothing is down' : `${names} down`,
    against: `${counted(all, 'check')} watched`,
  }
})

const ssl: Measure = ofSite(async (alert, site, moment) => {
  const first = await firstToExpire(alert, site, moment)
  if (first === 'none') return nothingLeft
  if (!first) return null
  const value = Math.round((first.ms * 10) / (24 * HOUR)) / 10
  const when = value < 0 ? `expired ${counted(-value, 'day')} ago` : `expires in ${counted(value, 'day')}`
  return { value, reads: `the certificate of ${first.name} ${when}`, ...held(alert, value, ' days') }
})

const vitals: Measure = ofSite(async (alert, site, moment) => {
  const metric = among(vitalNames, alert.metric ?? '')
  const measured = await percentile75(metric, site, windowOf(alert, moment), moment)
  if (!measured) return null
  const { value, samples } = measured
  const unit = metric === 'cls' ? '' : ' ms'
  const rank = `the 75th percentile of ${counted(samples, 'sample')} in ${minutes(alert.window_minutes)}`
  return { value, reads: `${metric.toUpperCase()} of ${number(value)}${unit} at ${rank}`, ...held(alert, value, unit) }
})

export const measures: Readonly<Record<Kind, Measure>> = {
  threshold, anomaly, goal, no_data, usage, uptime, ssl, vitals,
}
