import { onHook } from '../../../runtime/events/subscriber.ts'
import { identity_narrowed, traitsOf } from '../../sites/sites/index.ts'

/** At once, as what a site no longer keeps is not to wait for a task. */
export const forget_ids_and_traits = onHook(identity_narrowed, async ({ site }, { db }) => {
  const ofSite = db.updateTable('persons').where('site_id', '=', site.number)
  if (site.identity_names === 0) await ofSite.set({ name: null }).where('name', 'is not', null).execute()
  const kept = new Set(traitsOf(site).map(({ name }) => name))
  const rows = await db
    .selectFrom('persons')
    .select(['person', 'traits'])
    .where('site_id', '=', site.number)
    .where('traits', '<>', '{}')
    .execute()
  for (const { person, traits } of rows) {
    const stored = Object.entries(JSON.parse(traits) as Record<string, unknown>)
    const left = stored.filter(([name]) => kept.has(name))
    if (left.length === stored.length) continue
    await db
      .updateTable('persons')
      .set({ traits: JSON.stringify(Object.fromEntries(left)) })
      .where('site_id', '=', site.number)
      .where('person', '=', person)
      .execute()
  }
})
