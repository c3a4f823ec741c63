import { exampleRecords } from '../../../runtime/table/example.ts'
import { addSite } from '../../sites/sites/index.ts'

/** A second site of the same currency, into which the first can be merged. */
export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const first = await db.selectFrom('sites').selectAll().where('id', '=', id('site')).executeTakeFirstOrThrow()
  const { workspace_id, timezone, currency, week_start } = first
  const given = { workspace_id, timezone, currency, week_start, name: 'Other', domain: `other.${first.domain}`, public: 0, umami_id: null }
  const { id: other_site } = await addSite(db, { now, newId, emit: async () => {} }, given)
  return { other_site }
})
