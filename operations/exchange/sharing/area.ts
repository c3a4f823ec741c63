import { area } from '../../../runtime/table/area.ts'
import * as authenticators from './authenticator.ts'
import * as badge from './badge.ts'
import * as feeds from './feeds.ts'
import * as keys from './keys.ts'
import * as metrics from './metrics.ts'
import * as opening from './open-link.ts'
import * as operations from './operations.ts'
import * as pages from './page.tsx'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Sharing',
  description: 'Reports of a site for people without an account: with a link, in a frame, or on a public site.',
  manual: '/documentation/sharing',
  operations: [
    operations,
    { shared_links_open: opening.shared_links_open, public_sites_open: opening.public_sites_open },
    { badges_get: badge.badges_get },
    keys,
    feeds,
    metrics,
  ],
  endpoints: badge.badgeEndpoints,
  asked: {
    shared_links_create:
      'share, shared link, public link, client access, embed the dashboard, iframe, send to a client, without an account',
  },
  authenticators: { share: authenticators.share },
  pages,
  subscribers,
  views: () => import('./pages.tsx'),
  ids,
  tables: ['shared_links', 'share_tokens'],
  expiring: [{ table: 'share_tokens', key: ['id'], from: 'expires_at', afterMs: 0 }],
  example: () => import('./example.ts'),
})
