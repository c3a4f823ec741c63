import { sql } from 'kysely'
import { onHook } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import { identity_narrowed, traitsOf } from '../../sites/sites/index.ts'

const PERSONS_AT_ONCE = 500

/** At once, as what a site no longer keeps is not to wait for a task. */
export const forget_ids_and_traits = onHook(identity_narrowed, async ({ site }, { db }) => {
  if (site.identity_names === 0)
    await db.updateTable('persons').set({ name: null }).where('site_id', '=', site.number).where('name', 'is not', null).execute()
  const kept = new Set(traitsOf(site).map(({ name }) => name))
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('persons')
      .select(['person', 'traits'])
      .where('site_id', '=', site.number)
      .where('person', '>', last)
      .where('traits', '<>', '{}')
      .orderBy('person')
      .limit(PERSONS_AT_ONCE)
      .execute()
    await putTraits(
      db,
      site.number,
      rows.flatMap(({ person, traits }) => {
        const stored = Object.entries(JSON.parse(traits) as Record<string, unknown>) // written by storage/hits/persons.ts
        const left = stored.filter(([name]) => kept.has(name))
        return left.length === stored.length ? [] : [{ person, traits: JSON.stringify(Object.fromEntries(left)) }]
      }),
    )
    await yieldWhereDue()
    if (rows.length < PERSONS_AT_ONCE) return
    last = rows.at(-1)?.person ?? last
  }
})

async function putTraits(db: Db, site: number, persons: readonly { readonly person: number; readonly traits: string }[]): Promise<void> {
  if (persons.length === 0) return
  const given = sql.join(persons.map(({ person, traits }) => sql`(cast(${person} as integer), cast(${traits} as text))`))
  await sql`
    update persons set traits = given.column2 from (values ${given}) as given
    where persons.site_id = ${site} and persons.person = given.column1`.execute(db)
}
