import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from '../../sites/sites/records.ts'

/** A second site of the same currency, into which the first can be merged. */
export const example = exampleRecords(async ({ db, id, newId }) => {
  const other = newId(ids.site)
  const { number: _, ...row } = await db.selectFrom('sites').selectAll().where('id', '=', id('site')).executeTakeFirstOrThrow()
  const values = { ...row, id: other, name: 'Other', domain: `other.${row.domain}`, umami_id: null, identity_key: null, identity: 'off' }
  await db.insertInto('sites').values(values).execute()
  return { other_site: other }
})
