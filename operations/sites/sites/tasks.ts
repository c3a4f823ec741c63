import { task } from '../../../runtime/table/task.ts'
import { expireAliases } from './aliases.ts'
import { purgeSites } from './purge.ts'
import { recutSites } from './recut.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

export const sites_purge = task({
  name: 'sites_purge',
  summary: 'Deletes the hits and records of deleted sites, and the rest of deleted workspaces',
  every: 5 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  run: async context => ({ more: await purgeSites(context) }),
})

export const aliases_expire = task({
  name: 'aliases_expire',
  summary: 'Ends the aliases of former domains after 72 hours',
  every: 5 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run({ store, now }) {
    await store.transaction(trx => expireAliases(trx, store.dialect, now()))
    return { more: false }
  },
})

export const days_recut = task({
  name: 'days_recut',
  summary: 'Cuts the days of sites whose time zone was changed',
  every: MINUTE_MS,
  lease: 2 * MINUTE_MS,
  run: async context => ({ more: await recutSites(context) }),
})
