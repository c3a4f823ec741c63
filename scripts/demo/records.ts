/** What people have made of the shop's figures: goals, segments and notes, made as anybody makes them, over HTTP. */
import type { Web } from '../../adapters/http/http.ts'
import { DAY_MS } from '../../storage/zones.ts'
import { happenings } from './calendar.ts'

const goals = [
  { name: 'Purchase', kind: 'event', event: 'Purchase' },
  { name: 'Club purchase', kind: 'event', event: 'Purchase', property: 'plan', value: 'club' },
  { name: 'Newsletter', kind: 'event', event: 'Signup' },
  { name: 'Read the journal', kind: 'page', path: '/journal/*' },
  { name: 'Reached the checkout', kind: 'page', path: '/checkout' },
  { name: 'Asked a question', kind: 'page', path: '/contact/thanks' },
]
const segments = [
  { name: 'Phones in Germany', filters: [['country', 'is', 'DE'], ['device', 'is', 'mobile']] },
  { name: 'Came by search or AI', filters: [['channel', 'any_of', ['Organic Search', 'AI Assistants']]] },
  { name: 'Buyers', filters: [['goal', 'is', 'Purchase']] },
]

/**
 * @param site its id
 * @param now epoch ms, what happened is counted back from here
 * @throws Error with what was answered
 */
export async function makeRecords(web: Web, site: string, token: string, now: number): Promise<void> {
  const send = async (method: string, path: string, body: object) => {
    const answer = await web.request(path, {
      method, body: JSON.stringify(body), headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const make = (area: string, body: object) => send('POST', `/sites/${site}/${area}.json`, body)
  await send('PATCH', `/sites/${site}.json`, { name: 'The garden shop', currency: 'EUR', public: true })
  for (const goal of goals) await make('goals', goal)
  for (const segment of segments) await make('segments', segment)
  for (const { daysAgo, note } of happenings) await make('notes', { at: new Date(now - daysAgo * DAY_MS).toISOString(), text: note })
}
