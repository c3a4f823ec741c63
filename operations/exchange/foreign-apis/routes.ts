/** The addresses at which tools of other products read, one row each. A format is imported with its first request. */
import type { Exports } from '../../../runtime/table/area.ts'
import type { Endpoint } from '../../../runtime/table/endpoint.ts'
import type { ForeignApiRoute } from './format.ts'
import { foreignApi } from './serve.ts'

const stats = (name: 'realtimeVisitors' | 'aggregate' | 'timeseries' | 'breakdown') => () =>
  import('./plausible/stats.ts').then(all => all[name])
type SitesApi = typeof import('./plausible/sites.ts')
const sites = (name: keyof SitesApi) => () => import('./plausible/sites.ts').then(all => all[name])
type UmamiAccount = typeof import('./umami/account.ts')
const account = (name: Exclude<keyof UmamiAccount, 'umami' | 'idIn'>) => () => import('./umami/account.ts').then(all => all[name])
type UmamiStats = typeof import('./umami/stats.ts')
/** A report about a website of Umami. */
const about = (path: string, name: keyof UmamiStats, what: string): ForeignApiRoute => ({
  route: `GET /api/websites/{websiteId}/${path}`,
  summary: `${what}, as in Umami’s API`,
  api: () => import('./umami/stats.ts').then(all => all[name]),
})
const SITES = '/api/v1/sites'

const routes: readonly ForeignApiRoute[] = [
  {
    route: 'POST /api/v2/query',
    summary: 'Query a report as in Plausible’s Stats API, version 2',
    api: () => import('./plausible/query.ts').then(({ plausibleQuery }) => plausibleQuery),
  },
  {
    route: 'GET /api/v1/stats/realtime/visitors',
    summary: 'Current visitors, as in Plausible’s Stats API',
    api: stats('realtimeVisitors'),
  },
  { route: 'GET /api/v1/stats/aggregate', summary: 'Totals, as in Plausible’s Stats API', api: stats('aggregate') },
  { route: 'GET /api/v1/stats/timeseries', summary: 'A series, as in Plausible’s Stats API', api: stats('timeseries') },
  { route: 'GET /api/v1/stats/breakdown', summary: 'Top values, as in Plausible’s Stats API', api: stats('breakdown') },
  // Named ones come before those with a parameter.
  { route: `GET ${SITES}`, summary: 'List sites, as in Plausible’s Sites API', api: sites('sitesList') },
  { route: `POST ${SITES}`, summary: 'Create a site, as in Plausible’s Sites API', api: sites('sitesCreate') },
  { route: `GET ${SITES}/teams`, summary: 'Name the workspace, as in Plausible’s Sites API', api: sites('teamsList') },
  { route: `PUT ${SITES}/shared-links`, summary: 'Find or create a shared link, as in Plausible’s Sites API', api: sites('sharedLinks') },
  { route: `GET ${SITES}/goals`, summary: 'List goals, as in Plausible’s Sites API', api: sites('goalsList') },
  { route: `PUT ${SITES}/goals`, summary: 'Find or create a goal, as in Plausible’s Sites API', api: sites('goalsPut') },
  { route: `DELETE ${SITES}/goals/{goal_id}`, summary: 'Delete a goal, as in Plausible’s Sites API', api: sites('goalsDelete') },
  { route: `GET ${SITES}/custom-props`, summary: 'List properties, as in Plausible’s Sites API', api: sites('propertiesList') },
  { route: `PUT ${SITES}/custom-props`, summary: 'Accept a property, as in Plausible’s Sites API', api: sites('propertiesPut') },
  { route: `GET ${SITES}/{site_id}`, summary: 'Get a site, as in Plausible’s Sites API', api: sites('sitesGet') },
  { route: `PUT ${SITES}/{site_id}`, summary: 'Change the domain of a site, as in Plausible’s Sites API', api: sites('sitesUpdate') },
  { route: `DELETE ${SITES}/{site_id}`, summary: 'Delete a site, as in Plausible’s Sites API', api: sites('sitesDelete') },
  { route: 'POST /api/auth/login', summary: 'Sign in with a token, as in Umami’s API', withoutToken: true, api: account('login') },
  { route: 'POST /api/auth/logout', summary: 'Sign out, as in Umami’s API', withoutToken: true, api: account('logout') },
  { route: 'POST /api/auth/verify', summary: 'Name the caller, as in Umami’s API', api: account('verify') },
  { route: 'GET /api/me', summary: 'Name the caller, as in Umami’s API', api: account('me') },
  { route: 'GET /api/me/websites', summary: 'List sites, as in Umami’s API', api: account('websites') },
  { route: 'GET /api/me/teams', summary: 'List no teams, as in Umami’s API', api: account('teams') },
  { route: 'GET /api/teams', summary: 'List no teams, as in Umami’s API', api: account('teams') },
  { route: 'GET /api/websites', summary: 'List sites, as in Umami’s API', api: account('websites') },
  { route: 'POST /api/websites', summary: 'Create a site, as in Umami’s API', api: account('websiteCreate') },
  { route: 'GET /api/websites/{websiteId}', summary: 'Get a site, as in Umami’s API', api: account('website') },
  { route: 'POST /api/websites/{websiteId}', summary: 'Change a site, as in Umami’s API', api: account('websiteUpdate') },
  { route: 'DELETE /api/websites/{websiteId}', summary: 'Delete a site, as in Umami’s API', api: account('websiteDelete') },
  about('stats', 'stats', 'Totals'),
  about('pageviews', 'pageviews', 'A series'),
  about('metrics', 'metrics', 'Top values'),
  about('metrics/expanded', 'metricsExpanded', 'Top values with all totals'),
  about('values', 'values', 'Values of a column'),
  about('active', 'active', 'Current visitors'),
  about('daterange', 'dateRange', 'The days with hits'),
  about('events/series', 'eventSeries', 'A series of events'),
  about('events/stats', 'eventStats', 'Totals of events'),
  about('event-data/properties', 'eventProperties', 'Properties of events'),
  about('event-data/values', 'eventValues', 'Values of a property'),
  about('sessions/stats', 'sessionStats', 'Totals with countries'),
  {
    route: 'GET /api/realtime/{websiteId}',
    summary: 'The last 30 minutes, as in Umami’s API',
    api: () => import('./umami/stats.ts').then(({ realtime }) => realtime),
  },
]

export const foreignApiEndpoints: Exports<Endpoint> = Object.fromEntries(routes.map(row => [row.route, foreignApi(row)]))
