import { task } from '../../../runtime/table/task.ts'
import { purgeSites } from './purge.ts'
import { recutSites } from './recut.ts'

const minutes = 60_000

export const sites_purge = task({
  name: 'sites_purge',
  summary: 'Deletes the hits of deleted sites',
  every: 5 * minutes,
  lease: 2 * minutes,
  run: async context => ({ more: await purgeSites(context) }),
})

export const days_recut = task({
  name: 'days_recut',
  summary: 'Cuts the days of sites whose time zone was changed',
  every: minutes,
  lease: 2 * minutes,
  run: async context => ({ more: await recutSites(context) }),
})
