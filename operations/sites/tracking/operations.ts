import { Type } from '@sinclair/typebox'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { guardOf } from '../../../runtime/outbound/outbound.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { flag, iso, OneOf, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { aliasDomains, aliasesIn } from '../sites/index.ts'
import { site } from '../sites/records.ts'
import { platforms, snippetFor } from './platforms.ts'
import { proxyKeys } from './proxy-key.ts'
import { type Check, choices, Snippet, toTracking, Tracking, Verification } from './records.ts'
import { hitTimes, trackingOf } from './rows.ts'
import { scriptUrl } from './script.ts'
import { newScriptPath } from './script-path.ts'
import { m } from './messages.ts'
import { fieldTerm, operationTerm, timeTerm } from '../../../runtime/texts/message.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

/** How long a nonce can be confirmed, ms. */
const NONCE_MS = HOUR_MS

export const tracking_get = operation({
  route: 'GET /sites/{site_id}/tracking',
  summary: 'Get the tracking of a site: its script, settings, first and latest hit',
  title: 'Tracking',
  place: 'tracking',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  output: Tracking,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, config }) {
    const row = await trackingOf(db, site.id)
    return toTracking(row, scriptUrl(config.BASE_URL, row), await hitTimes(db, site.number))
  },
})

export const tracking_update = operation({
  route: 'PATCH /sites/{site_id}/tracking',
  summary: 'Change what the script of a site tracks',
  description: 'The script changes at once; browsers keep the previous one for up to ten minutes.',
  access: 'sites.manage',
  on: site,
  effect: 'update',
  input: {
    ...Type.Partial(Type.Object(choices)).properties,
    include: optional({ ...choices.include, [checkedBy]: patternFaults }),
    exclude: optional({ ...choices.exclude, [checkedBy]: patternFaults }),
    rotate_script_path: Type.Boolean({
      default: false,
      description: 'Moves the script to another path. Pages with the previous path count nothing until they are changed.',
    }),
  },
  output: Tracking,
  examples: [
    { input: { site_id: '{{site}}', vitals: true, exclude: ['/admin/*'] } },
    { summary: 'Another path', input: { site_id: '{{site}}', rotate_script_path: true } },
  ],
  async run({ db, site, input, config, now, random }) {
    failWith([...patternFaults(input.include, '/include'), ...patternFaults(input.exclude, '/exclude')])
    const listed = (list: readonly string[] | undefined) => list && JSON.stringify([...new Set(list)])
    const row = await db
      .updateTable('site_tracking')
      .set({
        hash: flag(input.hash),
        outbound_links: flag(input.outbound_links),
        downloads: flag(input.downloads),
        forms: flag(input.forms),
        clicks: flag(input.clicks),
        vitals: flag(input.vitals),
        respect_dnt: flag(input.respect_dnt),
        download_extensions: listed(input.download_extensions?.map(extension => extension.toLowerCase())),
        include: listed(input.include),
        exclude: listed(input.exclude),
        ...(input.rotate_script_path && { script_path: newScriptPath(random(12)) }),
        updated_at: now,
      })
      .where('site_id', '=', site.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toTracking(row, scriptUrl(config.BASE_URL, row), await hitTimes(db, site.number))
  },
})

export const tracking_snippet = operation({
  route: 'GET /sites/{site_id}/tracking/snippet',
  summary: 'Get the tracking code to install on a site',
  title: 'Snippet',
  place: 'tracking',
  description:
    'The platforms nginx, caddy, apache, cloudflare, vercel and netlify serve the script from the site’s own host, which ad blockers allow.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { for: OneOf(platforms, { default: 'html', description: 'Platform of the site.' }) },
  output: Snippet,
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', for: 'nginx' } }],
  async run({ db, site, input, config, use }) {
    const { script_path } = await trackingOf(db, site.id)
    const [key = ''] = await proxyKeys(use(secretBox), db, script_path)
    return snippetFor({ name: input.for, baseUrl: config.BASE_URL, path: script_path, domain: site.domain, key })
  },
})

const verified = {
  succeeded: m.the_tracking_works,
  failed: m.the_tracking_does_not_work,
  pending: m.no_hit_received,
}

export const tracking_verify = operation({
  route: 'POST /sites/{site_id}/tracking/verify',
  summary: 'Check whether the tracking of a site works',
  label: 'Check the tracking',
  done: 'Tracking checked.',
  linkedFrom: '/sites/{site_id}/tracking/snippet',
  description:
    'Checks the page, its snippet, its Content-Security-Policy and the delivery of hits. A script that a tag manager loads is not in the HTML: open `verify_url` in a browser, then call this again.',
  help: 'Checks the page, its snippet, its Content-Security-Policy and the delivery of hits.',
  access: 'sites.manage',
  rate: 'costly',
  on: site,
  effect: 'update',
  contacts: true,
  input: {
    url: optional(Type.String({ format: 'uri', maxLength: 2_000, description: 'Page to check. Defaults to the start page.' })),
  },
  output: Verification,
  outcome: ({ status }) => outcomeOf(status, verified),
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', url: 'https://example.com/pricing' } }],
  async prepare({ db, site, input, config }) {
    const url = input.url ?? `https://${site.domain}/`
    const aliases = aliasDomains(site)
    failWith(urlFaults(url, [site.domain, ...aliases]))
    const row = await trackingOf(db, site.id)
    const expected = {
      siteId: site.id,
      domain: site.domain,
      aliases: [...aliasesIn(site).map(({ name }) => name), ...(site.umami_id === null ? [] : [site.umami_id])],
      baseUrl: config.BASE_URL,
      scriptPath: row.script_path,
      userAgent: `Mozilla/5.0 (compatible; Footfall-Verify/1.0; +${config.BASE_URL})`,
    }
    const { checkPage } = await import('./verify/inspect.ts')
    return { looked: await checkPage(url, expected, guardOf(config)), url }
  },
  async run({ db, site, now, random, looked, url }) {
    const { last } = await hitTimes(db, site.number)
    const isRecent = last !== null && now - last < 24 * HOUR_MS
    const before = await trackingOf(db, site.id)
    const isOpen = before.nonce !== null && (before.nonce_expires_at ?? 0) > now + NONCE_MS / 2
    const row = isOpen
      ? before
      : await db
          .updateTable('site_tracking')
          .set({ nonce: random(16).toString('hex'), nonce_expires_at: now + NONCE_MS })
          .where('site_id', '=', site.id)
          .returningAll()
          .executeTakeFirstOrThrow()
    const isConfirmed = row.confirmed_at !== null && now - row.confirmed_at < 24 * HOUR_MS
    const recent: Check = {
      code: 'recent_hit',
      ok: isRecent,
      message: last === null ? m.no_hit_yet() : m.latest_hit({ at: timeTerm(last) }),
      remedy: isRecent ? null : m.open_site({ drops: operationTerm('collection_drops') }),
    }
    const checks = looked.map(
      (check): Check =>
        check.code === 'snippet_found' && !check.ok && isConfirmed ? { ...check, ok: true, message: m.confirmed(), remedy: null } : check,
    )
    const isFailing = looked.some(({ code, ok }) => !ok && code !== 'snippet_found' && code !== 'duplicate' && code !== 'consent_gate')
    const opened = new URL(url)
    opened.searchParams.set('footfall_verify', row.nonce ?? '')
    return {
      status: isRecent || isConfirmed ? ('working' as const) : isFailing ? ('failing' as const) : ('waiting' as const),
      checks: [recent, ...checks],
      verify_url: opened.href,
      verify_until: iso(row.nonce_expires_at ?? now),
      confirmed_at: iso(row.confirmed_at),
    }
  },
})

/** Allows only pages of the site, so that this cannot be used to request other hosts. */
function urlFaults(url: string, domains: readonly string[]): Fault[] {
  const { protocol, host, hostname, username } = new URL(url)
  const bare = (text: string) => text.replace(/^www\./, '')
  const isOwn = domains.some(domain => bare(host) === domain || bare(hostname) === domain || hostname.endsWith(`.${domain}`))
  if (/^https?:$/.test(protocol) && username === '' && isOwn) return []
  return [{ pointer: '/url', code: 'mismatch', message: m.no_page_of_site({ field: fieldTerm('url'), domain: domains[0] ?? '' }) }]
}

/** Browsers match these patterns with regular expressions, which many stars would slow down. */
function patternFaults(patterns: unknown, pointer: string): Fault[] {
  if (!Array.isArray(patterns)) return []
  return patterns.flatMap((pattern: unknown, i): Fault[] => {
    const stars = String(pattern).match(/\*+/g)?.length ?? 0
    if (stars <= 3) return []
    return [{ pointer: `${pointer}/${i}`, code: 'invalid_format', message: m.too_many_stars({ stars }) }]
  })
}
