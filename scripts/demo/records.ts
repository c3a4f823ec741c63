/**
 * Goals, segments, notes, funnels, alerts, dashboards and display names of events, created over HTTP.
 */
import type { Web } from '../../adapters/http/web.ts'
import { happenings } from './calendar.ts'
import { openClient, type Place } from './client.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

const goals = [
  { name: 'Purchase', kind: 'event', event: 'Purchase' },
  { name: 'Club purchase', kind: 'event', event: 'Purchase', property: 'plan', value: 'club' },
  { name: 'Newsletter', kind: 'event', event: 'Signup' },
  { name: 'Read the journal', kind: 'page', path: '/journal/*' },
  { name: 'Reached the checkout', kind: 'page', path: '/checkout' },
  { name: 'Asked a question', kind: 'page', path: '/contact/thanks' },
]
/** The shop knows its customers by their numbers. */
const identity = { identity: 'declared', identity_names: true, identity_traits: [{ name: 'plan', type: 'text' }] }
const segments = [
  {
    name: 'Phones in Germany',
    filters: [
      ['country', 'is', 'DE'],
      ['device', 'is', 'mobile'],
    ],
  },
  { name: 'Came by search or AI', filters: [['channel', 'any_of', ['Organic Search', 'AI Assistants']]] },
  { name: 'Buyers', filters: [['goal', 'is', 'Purchase']] },
]
/** @param goalOf the id of a goal by its name */
const funnelsWith = (goalOf: (name: string) => string) => [
  {
    name: 'From a shelf to the purchase',
    steps: [
      { name: 'Saw the shop', path: '/shop/**' },
      { name: 'Cart', path: '/cart' },
      { name: 'Checkout', path: '/checkout' },
      { goal_id: goalOf('Purchase') },
    ],
  },
  {
    name: 'From the journal to the newsletter',
    steps: [{ goal_id: goalOf('Read the journal') }, { name: 'Form', path: '/newsletter' }, { goal_id: goalOf('Newsletter') }],
  },
]
/** @param shop @param letter ids of the funnels */
const dashboardsWith = (shop: string, letter: string) => [
  {
    name: 'The shop at a glance',
    cards: [
      card('live', 'Now'),
      card('metric', 'Visitors in 30 days', { metric: 'visitors', period: '30d' }),
      card('metric', 'Revenue in 30 days', { metric: 'revenue', period: '30d' }),
      card('chart', 'A year of visits', { metric: 'visits', period: '12mo' }),
      card('breakdown', 'Channels by revenue', { dimension: 'channel', metric: 'revenue', period: '90d' }),
      card('breakdown', 'Countries', { dimension: 'country', period: '30d' }),
      card('table', 'Countries by device', { period: '30d', dimensions: 'country,device', metrics: 'visitors,bounce_rate,revenue' }),
      card('goal', 'Goals', { period: '30d' }),
      card('funnel', 'Where buyers are lost', { funnel_id: shop, period: '90d' }),
      card('vitals', 'How fast pages are', { period: '90d' }),
      card('uptime', 'Is the shop up?'),
    ],
  },
  {
    name: 'Journal and newsletter',
    cards: [
      card('chart', 'Pageviews', { metric: 'pageviews', period: '90d' }),
      card('breakdown', 'Where readers come in', { dimension: 'entry_page', period: '90d' }),
      card('breakdown', 'Campaigns', { dimension: 'utm_campaign', period: '90d' }),
      card('funnel', 'From reading to subscribing', { funnel_id: letter, period: '90d' }),
    ],
  },
]
const card = (type: string, title: string, params: object = {}) => ({ type, title, params })

/** The one on purchases is triggered as soon as it is evaluated, so that there is an incident to read. */
const alertsWith = (goalOf: (name: string) => string) => [
  { name: 'Fewer visitors than usual', kind: 'anomaly', metric: 'visitors', operator: 'lt' },
  { name: 'No visitors at all', kind: 'no_data', threshold: 24 },
  { name: 'Purchases today', kind: 'goal', goal_id: goalOf('Purchase'), threshold: 1, window_minutes: 1_440 },
]

/** Display names of events and their properties. */
const names = [
  { area: 'events/settings', change: { name: 'experiment', display_name: 'Saw an experiment' } },
  { area: 'events/settings', change: { name: 'Outbound Link: Click', display_name: 'Left for another site' } },
  { area: 'events/properties', change: { key: 'plan', display_name: 'Plan', export_safe: true } },
  { area: 'events/properties', change: { key: 'shelf', display_name: 'Shelf', export_safe: true } },
]

/**
 * @param now epoch ms; notes are dated back from here
 * @throws Error with what was answered
 */
export async function makeRecords(web: Web, place: Place, now: number): Promise<void> {
  const { site, workspace, send, make } = openClient(web, place)
  await send('PATCH', `/sites/${site}.json`, { name: 'The garden shop', currency: 'EUR', public: true, ...identity })
  for (const segment of segments) await make('segments', segment)
  for (const { daysAgo, note } of happenings) {
    await make('notes', { at: new Date(now - daysAgo * DAY_MS).toISOString(), text: note })
  }
  for (const { area, change } of names) await send('PATCH', `/sites/${site}/${area}.json`, change)

  const ids = new Map<string, string>()
  for (const goal of goals) ids.set(goal.name, await make('goals', goal))
  const goalOf = (name: string): string => ids.get(name) ?? ''
  for (const alert of alertsWith(goalOf)) await send('POST', `/workspaces/${workspace}/alerts.json`, { ...alert, site_id: site })
  const funnels = funnelsWith(goalOf)
  const [shop = '', letter = ''] = await inOrder(funnels, each => make('funnels', each))
  for (const { name, cards } of dashboardsWith(shop, letter)) {
    const ofSite = cards.map(each => ({ ...each, site_id: site }))
    await send('POST', `/workspaces/${workspace}/dashboards.json`, { name, cards: ofSite })
  }
}

async function inOrder<T>(things: readonly T[], make: (thing: T) => Promise<string>): Promise<string[]> {
  const made: string[] = []
  for (const thing of things) made.push(await make(thing))
  return made
}
