import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { aggregate, apply, engine } from '../../reports/stats/index.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { isPlausibleId } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'

const MAX_PAGE = 1_024
/** `12.3K`. Made when asked for: the first of the process takes 4 ms. */
const compact = (count: number): string => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count)

export const badges_get = operation({
  route: 'GET /badge/{site_id}',
  summary: 'Badge with the visitors of a public site',
  description:
    'The daily visitors of the last 30 days, added up, as an image, for a page or a README; at most 5 minutes old. ' +
    'For a site that is not public, the response is the same as for a missing site.',
  access: 'public',
  on: site,
  effect: 'read',
  input: {
    page: optional(
      Type.String({ minLength: 1, maxLength: MAX_PAGE, description: 'Path of a page whose visitors are counted, for example `/pricing`.' }),
    ),
  },
  output: Type.String({ description: 'The badge, SVG.' }),
  answers: text('image/svg+xml', { shared: 300 }),
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', page: '/pricing' } }],
  async run({ site, db, now, use, input }) {
    if (site.public !== 1) fail('not_found')
    const visitors = await visitorsOf({ site, page: input.page }, { db, now, engine: use(engine) })
    const message = visitors === null ? 'not known' : `${compact(visitors)} in 30 days, added up`
    const { makeBadge } = await import('badge-maker')
    return makeBadge({ label: 'daily visitors', message, color: 'blue' })
  },
})

/** No operation, because pages of any origin may read it. */
export const badgeEndpoints = {
  badge_count: endpoint({
    route: 'GET /badge/{site_id}/count',
    summary: 'The number of the badge as JSON, for `<footfall-count>`',
    access: 'public',
    crossOrigin: { headers: [] },
    async handle({ path: { site_id: id = '' }, url }, app) {
      const page = new URL(url).searchParams.get('page') || undefined
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no path has them, and Postgres takes no NUL
      if (!isPlausibleId(id) || (page !== undefined && (page.length > MAX_PAGE || /[\0-\x1f]/.test(page)))) fail('not_found')
      const found = await site.find(app.store.read, id)
      if (found?.row.public !== 1) fail('not_found')
      const visitors = await visitorsOf({ site: found.row, page }, { db: app.store.read, now: app.now(), engine: app.use(engine) })
      return {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
        body: JSON.stringify({ data: { visitors } }),
      }
    },
  }),
}

interface Source {
  readonly db: Db
  readonly now: number
  readonly engine: Parameters<typeof aggregate>[1]
}

/** The daily visitors of 30 days, added up. */
async function visitorsOf(
  { site, page }: { site: LiveSite; page: string | undefined },
  { db, now, engine }: Source,
): Promise<number | null> {
  const { data } = await aggregate(
    await apply(db, site, now, { period: '30d', include_imported: true, ...(page !== undefined && { filters: [['page', 'is', page]] }) }),
    engine,
  )
  return data.metrics.visitors
}
