/**
 * Scripts at the addresses of other products' scripts, so that a page changes only the host of its tag. They are ours: they read the
 * same attributes, queues and calls. `/script.js` is the address of several; the attributes of the tag decide.
 */
import { endpoint, type Endpoint } from '../../../../runtime/table/endpoint.ts'
import type { ForeignScript } from '../../../../tracker/tracker.ts'
import { script } from '../script-answer.ts'
import { scriptNamed } from '../script-names.ts'
import { tracker } from '../tracker.ts'

const scripts: Readonly<Record<string, readonly [summary: string, ...ForeignScript[]]>> = {
  '/umami.js': ['The script for Umami’s tag', 'umami'],
  '/matomo.js': ['The script for Matomo’s tag', 'matomo'],
  '/piwik.js': ['The script for Matomo’s tag', 'matomo'],
  '/count.js': ['The script for GoatCounter’s tag', 'goatcounter'],
  '/latest.js': ['The script for Simple Analytics’ tag', 'simple-analytics'],
  '/beacon.min.js': ['The script for Cloudflare’s beacon', 'cloudflare'],
  '/gtag/js': ['The script for Google’s tag', 'gtag'],
}

export const scriptEndpoints: Readonly<Record<string, Endpoint>> = {
  ...Object.fromEntries(
    Object.entries(scripts).map(([path, [summary, ...names]]) => [
      `GET ${path}`,
      endpoint({
        route: `GET ${path as '/'}`,
        summary,
        access: 'public',
        rate: 'none',
        crossOrigin: { headers: [] },
        handle: async (_, app) => script(await joined(names, (await app.use(tracker)).foreign), app.config),
      }),
    ]),
  ),
  'GET /script.js': endpoint({
    route: 'GET /script.js',
    summary: 'The script for Plausible’s, Umami’s and Fathom’s tags: their attributes say which one',
    access: 'public',
    rate: 'none',
    crossOrigin: { headers: [] },
    async handle(_, app) {
      const read = await app.use(tracker)
      return script(scriptNamed('script.js', read) + (await joined(['umami', 'fathom'], read.foreign)), app.config)
    },
  }),
}

const joined = async (names: readonly ForeignScript[], read: (name: ForeignScript) => Promise<string>): Promise<string> =>
  (await Promise.all(names.map(read))).join('')
