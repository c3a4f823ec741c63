import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Events',
  description: 'Custom events of a site: counts, properties, display settings and deletion.',
  manual: '/documentation/analytics#6-single-reports',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['events_list', 'events_get'],
  asked: {
    events_list:
      'custom events, which events, how often events, signups, sign ups, downloads, file downloads, outbound link clicks, form submissions, button clicks, how many signups, purchases, number of events, add to cart, how many events, event counts, tracked events, video plays, plays, watched, submitted the form, contact form, how many people clicked, searches, logins',
    events_get:
      'details of an event, one event, how often was a button clicked, clicks, button clicked, event over time, property values of an event, choose a plan, purchase event, signup event, downloads, outbound link clicks, how many signups, average value of an event, amounts, event revenue, order value, video plays, contact form',
    event_properties_list: 'which properties events have, event properties, custom properties, keys, parameters of events',
    events_update:
      'rename an event, hide an event, display name of an event, exclude an event from reports, stop showing an event, do not show an event',
    events_merge: 'merge events, combine events, join events into one',
    events_delete: 'delete data of an event, erase an event',
    event_properties_update: 'rename a property, hide a property',
    event_deletions_list: 'is the deletion done, progress of a deletion',
  },
  tasks,
  tables: ['event_settings', 'property_settings', 'event_deletions'],
  expiring: [{ table: 'event_deletions', key: ['site_id', 'event'], from: 'finished_at', afterMs: 90 * DAY_MS }],
})
