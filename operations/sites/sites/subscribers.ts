import { setImmediate } from 'node:timers/promises'
import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { sso_unlinked } from '../../people/sso/index.ts'
import { workspace_deleting } from '../../people/workspaces/index.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { refuseTaken } from './add.ts'
import { aliasesIn, MAX_ALIASES, putAliases } from './aliases.ts'
import { site_merging } from './hooks.ts'
import { m } from './messages.ts'
import { asLive } from './records.ts'
import { retire } from './retire.ts'

/** The other site takes all names. The merged site keeps its records, under a domain that no page can have (RFC 2606). */
export const give_names = onHook(site_merging, async ({ site, into }, { db, now }) => {
  const names = [site.domain, ...(site.umami_id === null ? [] : [site.umami_id]), ...aliasesIn(site).map(({ name }) => name)]
  const given = names.filter(name => name !== into.domain).map(name => ({ name, until: null }))
  const aliases = [...aliasesIn(into).filter(({ name }) => !names.includes(name)), ...given]
  if (aliases.length > MAX_ALIASES) fail('limit_reached', m.too_many_aliases({ most: MAX_ALIASES }))
  const domain = `${site.domain.replace(/:.*/, '').slice(-240)}.invalid`
  const renamed = db.updateTable('sites').set({ domain, umami_id: null, aliases: '[]' }).where('id', '=', site.id)
  await renamed.execute().catch(refuseTaken)
  await putAliases(db, site, [], now)
  await db
    .updateTable('sites')
    .set({ aliases: JSON.stringify(aliases) })
    .where('id', '=', into.id)
    .execute()
  await putAliases(db, into, aliases, now)
})

export const retire_sites = onHook(workspace_deleting, async ({ workspace }, { db, now, emit }) => {
  const sites = await db.selectFrom('sites').selectAll().where('workspace_id', '=', workspace.id).where('deleted_at', 'is', null).execute()
  for (const row of sites) {
    const site = await asLive(db, row)
    if (site) await retire(db, { now, emit }, site)
    await setImmediate() // SQLite answers synchronously, so hundreds of sites would block all other requests
  }
})

/** Codes that another person may have created in the account. */
export const end_offers_of_claimed = onHook(account_claimed, async ({ accountId, since = 0 }, { db }) => {
  const own = db.selectFrom('members').select('id').where('account_id', '=', accountId)
  await db.deleteFrom('site_offers').where('member_id', 'in', own).where('created_at', '>=', since).execute()
})

export const end_offers_of_unlinked = onHook(sso_unlinked, async ({ workspaceId, accountId }, { db }) => {
  const own = db.selectFrom('members').select('id').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId)
  await db.deleteFrom('site_offers').where('member_id', 'in', own).execute()
})
