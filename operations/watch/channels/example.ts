import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId }) => {
  const channel = newId(ids.channel)
  await db
    .insertInto('channels')
    .values({
      id: channel,
      workspace_id: id('workspace'),
      name: 'On call',
      kind: 'email',
      target: JSON.stringify([`on-call@${domain}`]),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { channel }
})
