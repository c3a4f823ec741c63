/**
 * The addresses at which tools of other products read: for each module its requests, and the export that answers each. A module is
 * imported with its first request.
 */
import { type Endpoint, endpoint } from '../../../runtime/table/endpoint.ts'
import type { ForeignApi } from './format.ts'

type Requests<M> = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, keyof M>>

const stats = '/api/v1/stats'
const sites = '/api/v1/sites'
const website = '/api/websites/{websiteId}'
const goatcounter = '/api/v0'

/** Requests without a token: the body has it, or none is needed. */
const withoutToken: ReadonlySet<string> = new Set([
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'GET /api/heartbeat',
  'GET /api/health',
])

/** Batches of hits. */
const COUNT: string = 'POST /api/v0/count'

/** @param product whose API it is */
function requests<M>(product: string, module: () => Promise<M>, answers: Requests<M>): Record<string, Endpoint> {
  const rows = Object.entries(answers) as [`GET /${string}`, keyof M][]
  return Object.fromEntries(
    rows.map(([route, name]) => [
      route,
      endpoint({
        route,
        summary: `As in the API of ${product}`,
        access: 'public',
        rate: 'none', // each operation that it calls counts
        maxBytes: route === COUNT ? 512 * 1024 : 64 * 1024,
        async handle(request, app) {
          const [{ answerTo }, format] = [await import('./answer.ts'), (await module())[name] as ForeignApi]
          return answerTo(format, { request, app, withoutToken: withoutToken.has(route) })
        },
      }),
    ]),
  )
}

/** Paths with names come before those with a parameter. */
export const foreignApiEndpoints: Readonly<Record<string, Endpoint>> = {
  ...requests('Plausible', () => import('./plausible/query.ts'), { 'POST /api/v2/query': 'plausibleQuery' }),
  ...requests('Plausible', () => import('./plausible/stats.ts'), {
    [`GET ${stats}/realtime/visitors`]: 'realtimeVisitors',
    [`GET ${stats}/aggregate`]: 'aggregate',
    [`GET ${stats}/timeseries`]: 'timeseries',
    [`GET ${stats}/breakdown`]: 'breakdown',
  }),
  ...requests('Plausible', () => import('./plausible/sites.ts'), {
    [`GET ${sites}`]: 'sitesList',
    [`POST ${sites}`]: 'sitesCreate',
    [`GET ${sites}/teams`]: 'teamsList',
    [`PUT ${sites}/shared-links`]: 'sharedLinks',
    [`GET ${sites}/goals`]: 'goalsList',
    [`PUT ${sites}/goals`]: 'goalsPut',
    [`DELETE ${sites}/goals/{goal_id}`]: 'goalsDelete',
    [`GET ${sites}/custom-props`]: 'propertiesList',
    [`PUT ${sites}/custom-props`]: 'propertiesPut',
    'GET /api/health': 'health',
    [`GET ${sites}/{site_id}`]: 'sitesGet',
    [`PUT ${sites}/{site_id}`]: 'sitesUpdate',
    [`DELETE ${sites}/{site_id}`]: 'sitesDelete',
  }),
  ...requests('Umami', () => import('./umami/account.ts'), {
    'POST /api/auth/login': 'login',
    'POST /api/auth/logout': 'logout',
    'POST /api/auth/verify': 'verify',
    'GET /api/me': 'me',
    'GET /api/me/websites': 'websites',
    'GET /api/me/teams': 'teams',
    'GET /api/teams': 'teams',
    'GET /api/websites': 'websites',
    'POST /api/websites': 'websiteCreate',
    [`GET ${website}`]: 'website',
    [`POST ${website}`]: 'websiteUpdate',
    [`DELETE ${website}`]: 'websiteDelete',
    [`GET ${website}/reports`]: 'noneSaved',
    [`GET ${website}/segments`]: 'noneSaved',
    [`GET ${website}/session-data/properties`]: 'noData',
    [`GET ${website}/session-data/values`]: 'noData',
    'GET /api/reports': 'reports',
    'POST /api/reports/{type}': 'report',
    'GET /api/heartbeat': 'heartbeat',
  }),
  ...requests('Umami', () => import('./umami/stats.ts'), {
    [`GET ${website}/stats`]: 'stats',
    [`GET ${website}/pageviews`]: 'pageviews',
    [`GET ${website}/metrics`]: 'metrics',
    [`GET ${website}/metrics/expanded`]: 'metricsExpanded',
    [`GET ${website}/values`]: 'values',
    [`GET ${website}/active`]: 'active',
    [`GET ${website}/daterange`]: 'dateRange',
    [`GET ${website}/events/series`]: 'eventSeries',
    [`GET ${website}/events/stats`]: 'eventStats',
    [`GET ${website}/sessions/stats`]: 'sessionStats',
    [`GET ${website}/sessions/weekly`]: 'weekly',
    'GET /api/realtime/{websiteId}': 'realtime',
  }),
  ...requests('Umami', () => import('./umami/event-data.ts'), {
    [`GET ${website}/event-data/events`]: 'eventDataEvents',
    [`GET ${website}/event-data/fields`]: 'eventDataFields',
    [`GET ${website}/event-data/properties`]: 'eventProperties',
    [`GET ${website}/event-data/stats`]: 'eventDataStats',
    [`GET ${website}/event-data/values`]: 'eventValues',
  }),
  ...requests('Umami', () => import('./umami/visits.ts'), {
    [`GET ${website}/events`]: 'events',
    [`GET ${website}/event-data`]: 'eventData',
    [`GET ${website}/sessions`]: 'sessions',
    [`GET ${website}/sessions/{sessionId}`]: 'session',
    [`GET ${website}/sessions/{sessionId}/activity`]: 'sessionActivity',
    [`GET ${website}/sessions/{sessionId}/properties`]: 'sessionProperties',
  }),
  ...requests('GoatCounter', () => import('./goatcounter/account.ts'), {
    [`GET ${goatcounter}/test`]: 'test',
    [`POST ${goatcounter}/test`]: 'test',
    [`GET ${goatcounter}/me`]: 'me',
    [`GET ${goatcounter}/sites`]: 'sites',
    [`PUT ${goatcounter}/sites`]: 'siteChange',
    [`GET ${goatcounter}/sites/{id}`]: 'site',
    [`POST ${goatcounter}/sites/{id}`]: 'siteChange',
    [`POST ${goatcounter}/export`]: 'exporting',
    [`GET ${goatcounter}/export/{id}`]: 'exporting',
    [`GET ${goatcounter}/export/{id}/download`]: 'exporting',
  }),
  ...requests('GoatCounter', () => import('./goatcounter/count.ts'), { [`POST ${goatcounter}/count`]: 'count' }),
  ...requests('GoatCounter', () => import('./goatcounter/paths.ts'), { [`GET ${goatcounter}/paths`]: 'paths' }),
  ...requests('GoatCounter', () => import('./goatcounter/stats.ts'), {
    [`GET ${goatcounter}/stats/total`]: 'total',
    [`GET ${goatcounter}/stats/hits`]: 'hits',
  }),
  ...requests('GoatCounter', () => import('./goatcounter/lists.ts'), {
    [`GET ${goatcounter}/stats/hits/{path_id}`]: 'refs',
    [`GET ${goatcounter}/stats/{page}`]: 'stats',
    [`GET ${goatcounter}/stats/{page}/{id}`]: 'statsDetail',
  }),
}
