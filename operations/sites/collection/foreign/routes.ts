/** The addresses to which tags and libraries of other products send, one row each. A format is imported with its first request. */
import type { ForeignRoute } from './format.ts'
import { foreign } from './serve.ts'

const matomo = () => import('./matomo.ts').then(({ matomo }) => matomo)
const goatcounter = () => import('./goatcounter.ts').then(({ goatcounter }) => goatcounter)
const simple = () => import('./simple-analytics.ts').then(({ simpleAnalytics }) => simpleAnalytics)
const cloudflare = () => import('./cloudflare.ts').then(({ cloudflare }) => cloudflare)
const ga4 = () => import('./ga4.ts').then(({ ga4 }) => ga4)
const segment = () => import('./segment.ts').then(({ segment }) => segment)
const posthog = () => import('./posthog.ts').then(({ posthog }) => posthog)
const posthogSettings = () => import('./posthog.ts').then(({ posthogSettings }) => posthogSettings)
const posthogRecordings = () => import('./posthog.ts').then(({ posthogRecordings }) => posthogRecordings)

/** RudderStack's script says in headers how often it has tried. */
const segmentHeaders = [
  ...['Authorization', 'AnonymousId', 'SentAt', 'X-Retry-Count', 'Rsa-Recovered', 'Rsa-Retry-Attempt', 'Rsa-Retry-Reason'],
  ...['Rsa-Since-First-Attempt', 'Rsa-Since-Last-Attempt'],
]

const routes: readonly ForeignRoute[] = [
  ...['/matomo.php', '/piwik.php'].flatMap(path => both(path, 'Collect hits from Matomo’s tag and libraries', matomo)),
  ...['/count', '/count/{site}'].flatMap(path => both(path, 'Collect a hit from GoatCounter’s script', goatcounter)),
  { route: 'GET /simple.gif', summary: 'Collect a hit from Simple Analytics’ script', format: simple },
  { route: 'POST /append', summary: 'Collect how long and how far a page was read, from Simple Analytics’ script', format: simple },
  { route: 'POST /events', summary: 'Collect an event from a server, in Simple Analytics’ format', format: simple },
  { route: 'POST /cdn-cgi/rum', summary: 'Collect a page load or web vitals from Cloudflare’s beacon', format: cloudflare },
  ...both('/g/collect', 'Collect events from a page with Google’s tag', ga4),
  { route: 'POST /mp/collect', summary: 'Collect events by Google’s Measurement Protocol', format: ga4 },
  { route: 'POST /debug/mp/collect', summary: 'Collect events by Google’s Measurement Protocol, with its form of answers', format: ga4 },
  ...['page', 'track', 'identify', 'batch', 'screen', 'group', 'alias', 'import', 'p', 't', 'i', 'b', 'm'].map(
    (type): ForeignRoute => ({
      route: `POST /v1/${type}`,
      summary: 'Collect messages from Segment’s and RudderStack’s libraries',
      headers: segmentHeaders,
      format: segment,
    }),
  ),
  ...['/e', '/e/', '/i/v0/e', '/i/v0/e/', '/capture', '/capture/', '/batch', '/batch/', '/track/', '/engage/'].map(
    (path): ForeignRoute => ({ route: `POST ${path as '/'}`, summary: 'Collect events from PostHog’s libraries', format: posthog }),
  ),
  ...['/decide', '/decide/', '/flags', '/flags/'].map(
    (path): ForeignRoute => ({
      route: `POST ${path as '/'}`,
      summary: 'Settings for PostHog’s libraries: no flags',
      ignoresBody: true,
      format: posthogSettings,
    }),
  ),
  ...['/array/{key}/config', '/array/{key}/config.js'].map(
    (path): ForeignRoute => ({
      route: `GET ${path as '/'}`,
      summary: 'Settings for PostHog’s script: nothing to load',
      format: posthogSettings,
    }),
  ),
  { route: 'POST /s/', summary: 'Recordings of PostHog’s script, which are not kept', ignoresBody: true, format: posthogRecordings },
]

function both(path: string, summary: string, format: ForeignRoute['format']): ForeignRoute[] {
  return (['GET', 'POST'] as const).map(method => ({ route: `${method} ${path as '/'}`, summary, format }))
}

export const foreignEndpoints = Object.fromEntries(routes.map(row => [row.route, foreign(row)]))
