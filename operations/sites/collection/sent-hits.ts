/** Hits of a site's own server, with the address, the agent and the time of each visitor. */
import { setImmediate } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { operation } from '../../../runtime/table/operation.ts'
import { OneOf, record } from '../../../runtime/table/schema.ts'
import { site } from '../sites/records.ts'
import { collector } from './collector.ts'
import type { SentHit } from './hit.ts'
import { dropReasons, m } from './messages.ts'
import { serverHits } from './server-hits.ts'

const MAX_HITS = 500
/** Hits to read before yielding to the event loop. */
const HITS_AT_ONCE = 50

const reasons = Object.keys(dropReasons)

const HitsTaken = record(
  'HitsTaken',
  {
    stored: Type.Integer({ unit: 'count', description: 'Hits that count.' }),
    left_out: Type.Array(
      Type.Object({
        reason: OneOf(reasons, { description: 'As in `collection_drops`; `invalid` also for a hit with a wrong field.' }),
        hits: Type.Integer({ unit: 'count', description: 'Number of hits.' }),
      }),
      { description: 'Hits that do not count, by reason.' },
    ),
  },
  'The outcome of hits that a server sent.',
)

export const hits_create = operation({
  route: 'POST /sites/{site_id}/hits',
  summary: 'Send hits from a server',
  label: 'Send hits',
  description:
    'Takes up to 500 hits with the fields of `POST /api/event`, also for the address, the browser and the time of the visitor. A call that is repeated with the same Idempotency-Key counts once.',
  access: 'sites.manage',
  surfaces: ['http'],
  forPrograms: true,
  unaudited: true,
  on: site,
  effect: 'update',
  input: {
    hits: Type.Array(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 }), {
      maxItems: MAX_HITS,
      description: 'Hits as for `POST /api/event`, without `domain`.',
    }),
  },
  output: HitsTaken,
  outcome: ({ stored }) => (stored > 0 ? { is: 'success', says: m.hits_stored } : { is: 'neutral', says: m.no_hits_stored }),
  examples: [
    {
      input: {
        site_id: '{{site}}',
        hits: [
          {
            name: 'Signup',
            url: 'https://example.com/register',
            ip: '203.0.113.9',
            user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
            props: { plan: 'pro' },
          },
        ],
      },
    },
  ],
  async prepare({ site, input, caller, use }) {
    const taken = serverHits({ site, caller, collector: use(collector) })
    const hits: SentHit[] = []
    for (const [index, sent] of input.hits.entries()) {
      const hit = taken.read(sent)
      if (hit) hits.push(hit)
      else taken.leave('invalid')
      if (index % HITS_AT_ONCE === HITS_AT_ONCE - 1) await setImmediate()
    }
    const stored = await taken.store(hits)
    return { counted: { stored, left_out: taken.leftOut(reasons).map(({ reason, count }) => ({ reason, hits: count })) } }
  },
  run: async ({ counted }) => counted,
})
