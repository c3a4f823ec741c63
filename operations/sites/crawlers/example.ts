import { exampleRecords } from '../../../runtime/table/example.ts'
import { countSeen } from './count.ts'
import { known } from './crawler-list.ts'

export const example = exampleRecords(async ({ db, now, id }) => {
  const crawler = known.find(({ name }) => name === 'GPTBot')
  if (!crawler) throw new Error('GPTBot is known')
  const answer = { status: 200, bytes: 2_048 }
  await countSeen(db, [{ siteId: id('site'), zone: 'Europe/Berlin', at: now, crawler, verdict: 'unverifiable', path: '/', answer }])
  return {}
})
