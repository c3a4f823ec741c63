import { area } from '../../../runtime/table/area.ts'
import * as endpoints from './endpoints.ts'
import * as operations from './operations.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Tracking',
  description: 'The tracking script of a site: its settings and URL, installation, and verification.',
  manual: '/documentation/collecting#a-sites-own-script',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    tracking_get: 'tracking settings, script of the site, when did the first hit come, is anything tracked',
    tracking_update:
      'track outbound links, track downloads, track forms, exclude pages from tracking, respect do not track, enable web vitals, hash routing',
    tracking_snippet:
      'tracking code, install the script, snippet, how do I add it to WordPress, Google Tag Manager, Next.js, Shopify, proxy, ad blockers, first-party path',
    tracking_verify: 'is the tracking installed, verify installation, does the tracking work, why are there no visitors, check the snippet',
  },
  endpoints,
  subscribers,
  tables: ['site_tracking'],
  example: () => import('./example.ts'),
})
