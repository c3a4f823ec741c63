/** Tracking settings of a site's script, and its URL. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import type { SiteTrackingRow } from '../../../storage/tables/tracking.ts'
import { platforms } from './platforms.ts'

const flags = {
  hash: 'Whether the fragment of the URL belongs to the page.',
  outbound_links: 'Whether the script sends clicks on links to other sites.',
  downloads: 'Whether the script sends downloads.',
  forms: 'Whether the script sends submitted forms.',
  clicks: 'Whether the script sends positions of clicks, for the click map.',
  vitals: 'Whether the script sends Core Web Vitals.',
  respect_dnt: 'Whether to ignore browsers with Do-Not-Track or Global Privacy Control.',
} as const
export type Flag = keyof typeof flags
const flagFields = Object.fromEntries(Object.entries(flags).map(([name, description]) => [name, Type.Boolean({ description })])) as Record<
  Flag,
  ReturnType<typeof Type.Boolean>
>

const pattern = Type.String({ pattern: '^[/*][^,]*$', maxLength: 200 })
export const choices = {
  ...flagFields,
  download_extensions: Type.Array(Type.String({ pattern: '^[A-Za-z0-9]{1,10}$', maxLength: 10 }), {
    maxItems: 50,
    description: 'File extensions that count as downloads, instead of the default ones; for example `pdf` and `zip`.',
  }),
  include: Type.Array(pattern, { maxItems: 20, description: 'Counts only these paths, for example `/blog/*`. `*` matches any text.' }),
  exclude: Type.Array(pattern, { maxItems: 20, description: 'Does not count these paths, for example `/admin/*`.' }),
}

export const Tracking = record(
  'Tracking',
  {
    site_id: Type.String({ description: 'The site.' }),
    script_url: Type.String({ description: 'URL of the script, which contains these settings.' }),
    script_path: Type.String({ description: 'Path of the script, without slash and `.js`. Hits go to the same path.' }),
    ...choices,
    first_hit_at: Nullable(DateTime(), { description: 'Start of the first stored visit.' }),
    last_hit_at: Nullable(DateTime(), { description: 'Time of the latest pageview or event.' }),
  },
  'Tracking settings of a site.',
)

export interface HitTimes {
  readonly first: number | null
  readonly last: number | null
}

export function toTracking(row: SiteTrackingRow, scriptUrl: string, { first, last }: HitTimes): Static<typeof Tracking> {
  return {
    site_id: row.site_id,
    script_url: scriptUrl,
    script_path: row.script_path,
    hash: row.hash === 1,
    outbound_links: row.outbound_links === 1,
    downloads: row.downloads === 1,
    forms: row.forms === 1,
    clicks: row.clicks === 1,
    vitals: row.vitals === 1,
    respect_dnt: row.respect_dnt === 1,
    download_extensions: JSON.parse(row.download_extensions),
    include: JSON.parse(row.include),
    exclude: JSON.parse(row.exclude),
    first_hit_at: iso(first),
    last_hit_at: iso(last),
  }
}

export const Snippet = record(
  'Snippet',
  {
    for: OneOf(platforms, { description: 'The platform.' }),
    files: Type.Array(
      Type.Object({
        name: Sentence({ description: 'File or place that the content belongs to.' }),
        content: Type.String({ description: 'Content to insert.' }),
      }),
      { description: 'Files to change.' },
    ),
    csp: Type.String({ description: 'Sources that a Content-Security-Policy of the site must allow.' }),
    notes: Type.Array(Sentence(), { description: 'Notes on the installation.' }),
  },
  'The installation of the script on a platform.',
)

/** Path of the reports about the hits of this site; undefined if the viewer may not see them. */
export const reportsPath = slot<object, string>('path of the reports of a site')

export const checkCodes = [
  'recent_hit',
  'dns',
  'http_status',
  'snippet_found',
  'wrong_domain',
  'duplicate',
  'consent_gate',
  'csp_script',
  'csp_connect',
  'script_reachable',
  'endpoint_reachable',
  'proxy_address',
] as const
export type CheckCode = (typeof checkCodes)[number]

export const Verification = record(
  'Verification',
  {
    status: OneOf(['working', 'waiting', 'failing'], {
      description:
        '`working`: hits were received within 24 hours, or the script has confirmed; `failing`: a check explains the problem; `waiting`: no hit was received yet.',
    }),
    checks: Type.Array(
      Type.Object({
        code: OneOf(checkCodes, { description: 'Code of the check.' }),
        ok: Type.Boolean({ description: 'Whether the check passed.' }),
        message: Sentence({ description: 'Result of the check.' }),
        remedy: Nullable(Sentence(), { description: 'Action to take.' }),
      }),
      { description: 'Checks that could be made, in order.' },
    ),
    verify_url: Type.String({
      description: 'URL to open in a browser. The script then confirms that it runs, also if a tag manager loads it.',
    }),
    verify_until: DateTime({ description: 'When `verify_url` expires.' }),
    confirmed_at: Nullable(DateTime(), { description: 'When the script last confirmed.' }),
  },
  'Whether a site sends hits, and the problems that were found.',
)
export type Check = Static<typeof Verification>['checks'][number]
