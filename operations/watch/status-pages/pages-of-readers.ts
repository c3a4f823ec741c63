/** The public pages: the status page, one incident, and a reader's subscription. Drawing them is loaded with the first one. */
import { page } from '../../../runtime/table/page.ts'
import { pageAtHost } from './status.ts'

const drawing = () => import('./shown-page.tsx')

export const status_page_page = page({
  route: 'GET /status/{slug}',
  summary: 'A public status page',
  access: 'public',
  isListed: true,
  hosted: { path: '/', find: pageAtHost },
  show: async (request, app) => (await drawing()).showPage(request, app),
})

export const status_incident_page = page({
  route: 'GET /status/{slug}/incidents/{id}',
  summary: 'An incident of a public status page',
  access: 'public',
  show: async (request, app) => (await drawing()).showIncident(request, app),
})

export const status_subscription_page = page({
  route: 'GET /status/subscriptions/{token}',
  summary: 'A subscription to a status page',
  access: 'public',
  show: async (request, app) => (await drawing()).showSubscription(request, app),
})
