import { exampleRecords } from '../../../runtime/table/example.ts'
import { freshTracking } from './rows.ts'

export const example = exampleRecords(async ({ db, now, id, random }) => {
  await db
    .insertInto('site_tracking')
    .values(freshTracking(id('site'), now, random(12)))
    .execute()
  return {}
})
