import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const funnel = newId(ids.funnel)
  const plain = { name: null, goal_id: null, path: null, event: null, property: null, value: null }
  const steps = [
    { ...plain, kind: 'page', path: '/' },
    { ...plain, kind: 'event', event: 'Signup' },
  ]
  await db
    .insertInto('funnels')
    .values({
      id: funnel,
      site_id: id('site'),
      name: 'To sign-up',
      steps: JSON.stringify(steps),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { funnel }
})
