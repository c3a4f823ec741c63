import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'People',
  description: 'People whom a site identifies itself, after it has the right to.',
  manual: '/documentation/privacy#people',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    people_list: 'which customers came, list of people, users of the site, identified visitors, find a user by id',
    people_get: 'one person, what did this customer do, lifetime revenue of a customer, profile of a user',
    people_visits_list: 'what did this customer do before buying, visits of a user, timeline of a person',
    people_export: 'GDPR request, data of a person, subject access request',
    people_delete: 'erase a person, delete a user, right to be forgotten, GDPR erasure',
    people_deletions_list: 'is the person erased, progress of erasing a person',
  },
  events,
  tasks,
  subscribers,
  ids,
  tables: ['persons', 'person_deletions'],
  expiring: [{ table: 'person_deletions', key: ['site_id', 'person', 'requested_at'], from: 'finished_at', afterMs: 90 * DAY_MS }],
  example: () => import('./example.ts'),
})
