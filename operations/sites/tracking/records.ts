/** How the script of a site tracks, and where it is. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import type { SiteTrackingRow } from '../../../storage/tables/tracking.ts'
import { platforms } from './platforms.ts'

const flags = {
  hash: 'Whether the fragment is part of the page.',
  outbound_links: 'Whether clicks on links to other sites are sent.',
  downloads: 'Whether downloads are sent.',
  forms: 'Whether every submitted form is sent.',
  clicks: 'Whether positions of clicks are sent, for the click map.',
  vitals: 'Whether Core Web Vitals are sent.',
  respect_dnt: 'Whether browsers with Do-Not-Track or Global Privacy Control are left out.',
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
    description: 'Extensions that are downloads, instead of the usual: `pdf`, `zip`.',
  }),
  include: Type.Array(pattern, { maxItems: 20, description: 'Only these paths; `*` is any text: `/blog/*`.' }),
  exclude: Type.Array(pattern, { maxItems: 20, description: 'Not these paths: `/admin/*`.' }),
}

export const Tracking = record(
  'Tracking',
  {
    site_id: Type.String({ description: 'The site.' }),
    script_url: Type.String({ description: 'Address of its script, with these settings in it.' }),
    script_path: Type.String({ description: 'Path of the script, without slash and `.js`: hits go there, too.' }),
    ...choices,
    first_hit_at: Nullable(DateTime(), { description: 'Start of the first visit that is kept.' }),
    last_hit_at: Nullable(DateTime(), { description: 'Latest pageview or event.' }),
  },
  'How the script of a site tracks.',
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
        name: Sentence({ description: 'Where it belongs.' }),
        content: Type.String({ description: 'What belongs there.' }),
      }),
      { description: 'What to put where.' },
    ),
    csp: Type.String({ description: 'What a Content-Security-Policy of the site must allow.' }),
    notes: Type.Array(Sentence(), { description: 'What to mind.' }),
  },
  'How the script gets into the pages of a site.',
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
        '`working`: hits came within 24 hours, or the script has confirmed; `failing`: a check says why not; `waiting`: for the first hit.',
    }),
    checks: Type.Array(
      Type.Object({
        code: OneOf(checkCodes, { description: 'What was checked.' }),
        ok: Type.Boolean({ description: 'Whether it is as it should be.' }),
        message: Sentence({ description: 'What was seen.' }),
        remedy: Nullable(Sentence(), { description: 'What to do.' }),
      }),
      { description: 'What could be checked, in order.' },
    ),
    verify_url: Type.String({ description: 'Open this in a browser: the script confirms, also one that a tag manager loads.' }),
    verify_until: DateTime({ description: 'How long that works.' }),
    confirmed_at: Nullable(DateTime(), { description: 'When the script last confirmed.' }),
  },
  'Whether a site sends hits, and why not.',
)
export type Check = Static<typeof Verification>['checks'][number]
