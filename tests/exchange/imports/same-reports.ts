/** Visits that are sent live to one site, and imported into another from a file of a product: both have the same reports. */
import assert from 'node:assert/strict'
import type { Importing, Site } from './site.ts'

/** Dimensions of reports, which both sites divide their visits by. */
const dimensions = [
  ...['page', 'entry_page', 'exit_page', 'hostname', 'source', 'channel', 'referrer'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ...['country', 'region', 'city', 'browser', 'browser_version', 'os', 'os_version', 'device', 'screen', 'language', 'event'],
]
const figures = ['visitors', 'visits', 'pageviews', 'events', 'bounce_rate', 'visit_duration', 'revenue', 'purchases'] as const

export interface Reports {
  readonly [name: string]: unknown
}

/** Goals of both sites: pages and events that the visits have. */
const goals = [
  { name: 'A price', kind: 'page', path: '/pricing' },
  { name: 'Documents', kind: 'page', path: '/docs*' },
  { name: 'A signup', kind: 'event', event: 'Signup' },
  { name: 'A purchase', kind: 'event', event: 'Purchase' },
]

/** @param without dimensions that the product does not have */
export async function reportsOf(
  site: Site,
  { period, props, without = [] }: { period: Record<string, unknown>; props: readonly string[]; without?: readonly string[] },
): Promise<Reports> {
  const reports: Record<string, unknown> = {}
  const { metrics } = (await site.get('stats_aggregate', period)).data
  reports.totals = Object.fromEntries(figures.map(name => [name, metrics[name]]))
  reports.hours = (await site.get('stats_timeseries', { ...period, interval: 'hour' })).data
  for (const dimension of [...dimensions, ...props.map(name => `property:${name}`)].filter(name => !without.includes(name))) {
    const { data } = await site.get('stats_breakdown', { dimension, ...period, limit: 100 })
    reports[dimension] = data.rows.map((row: any) => JSON.stringify([row.value, ...figures.map(name => row[name] ?? null)])).sort()
  }
  for (const goal of goals) await site.get('goals_create', goal)
  const { data } = await site.get('stats_breakdown', { dimension: 'goal', ...period })
  reports.goal = data.rows.map((row: any) => JSON.stringify([row.label, ...figures.map(name => row[name] ?? null)])).sort()
  return reports
}

export function assertSame(imported: Reports, live: Reports): void {
  for (const name of Object.keys(live)) assert.deepEqual(imported[name], live[name], name)
}

/** Sends a body with the token of the site, whose claims then count. */
export async function sendLive(service: Importing, { world }: Site, path: string, body: unknown): Promise<void> {
  const answer = await service.web.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${world.token}` },
    body: JSON.stringify(body),
  })
  assert.ok(answer.status < 300, await answer.text())
  assert.equal(answer.headers.get('x-footfall-dropped'), null, JSON.stringify(body))
}
