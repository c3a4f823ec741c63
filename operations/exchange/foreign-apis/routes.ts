/** The addresses at which tools of other products read, one row each. A format is imported with its first request. */
import type { Exports } from '../../../runtime/table/area.ts'
import type { Endpoint } from '../../../runtime/table/endpoint.ts'
import type { ForeignApiRoute } from './format.ts'
import { foreignApi } from './serve.ts'

const stats = (name: 'realtimeVisitors' | 'aggregate' | 'timeseries' | 'breakdown') => () =>
  import('./plausible/stats.ts').then(all => all[name])
type SitesApi = typeof import('./plausible/sites.ts')
const sites = (name: keyof SitesApi) => () => import('./plausible/sites.ts').then(all => all[name])
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
]

export const foreignApiEndpoints: Exports<Endpoint> = Object.fromEntries(routes.map(row => [row.route, foreignApi(row)]))
