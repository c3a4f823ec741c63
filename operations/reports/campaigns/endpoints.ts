import { endpoint } from '../../../runtime/table/endpoint.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { isBot } from '../../sites/crawlers/index.ts'
import { isAllowedTarget } from './link-targets.ts'
import { tagged } from './tagged.ts'

export const campaign_link_open = endpoint({
  route: 'GET /l/{slug}',
  summary: 'Redirect from a short URL to its page, and count the click',
  access: 'public',
  async handle({ method, path, header }, { store, now }) {
    const slug = path.slug ?? ''
    if (!/^[a-z0-9-]{3,60}$/.test(slug)) fail('not_found')
    const link = await store.read
      .selectFrom('campaign_links as l')
      .innerJoin('sites as s', 's.id', 'l.site_id')
      .selectAll('l')
      .select('s.workspace_id')
      .where('l.slug', '=', slug)
      .where('s.deleted_at', 'is', null)
      .executeTakeFirst()
    // Checked again, because a site may have changed its domain, and a host may have been removed from the list.
    if (!link || !(await isAllowedTarget(store.read, link.workspace_id, link.url))) fail('not_found')
    const isAhead = /prefetch/i.test(header('sec-purpose') ?? header('purpose') ?? '')
    if (method === 'GET' && !isAhead && !isBot(header('user-agent') ?? '')) {
      await store.write
        .updateTable('campaign_links')
        .set(({ eb }) => ({ clicks: eb('clicks', '+', 1), last_clicked_at: now() }))
        .where('id', '=', link.id)
        .execute()
    }
    // Redirects only to the stored URL, which contains nothing of the request. The page may see where the click came from.
    const headers = { Location: tagged(link), 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer-when-downgrade' }
    return { status: 302, headers }
  },
})
