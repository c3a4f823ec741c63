/** The body of a delivery: the event's envelope (docs/decisions.md §3). It is stored: retries send the same bytes. */
import { Type } from '@sinclair/typebox'
import { clipped } from '../../../runtime/values/clip.ts'
import { DateTime, iso, Nullable, record } from '../../../runtime/table/schema.ts'
import type { EventRow } from '../../../storage/tables/index.ts'

export const Envelope = record(
  'WebhookPayload',
  {
    id: Type.String({ description: 'Prefix `evt_`; the same in every delivery of the event.' }),
    type: Type.String({ description: 'Kind of event.' }),
    created_at: DateTime({ description: 'When it happened.' }),
    timestamp: DateTime({ description: 'The same, as Standard Webhooks names it.' }),
    workspace_id: Type.String({ description: 'Workspace it happened in.' }),
    site_id: Nullable(Type.String(), { description: 'Site it happened to; null where it is the whole workspace.' }),
    data: Type.Object({}, { description: 'By the kind of event.' }),
  },
  'The body that is posted, under 20 KB.',
)

/** Largest body in bytes: docs/decisions.md §3. */
const below = 20_000
/** Limits on characters of a text and items of a list; the first under which the body is short enough applies. */
const cuts = [Infinity, 1_000, 200, 50]

export function envelopeText({ id, type, workspace_id, site_id, data, created_at }: EventRow): string {
  const at = iso(created_at)
  const envelope = { id, type, created_at: at, timestamp: at, workspace_id, site_id, data: JSON.parse(data) }
  for (const max of cuts) {
    const text = JSON.stringify(envelope, (_, value: unknown) => cut(value, max))
    if (Buffer.byteLength(text) < below) return text
  }
  throw new Error(`event ${type}: its data is too much for an envelope`)
}

/** Cuts long texts and lists: user input and answers of servers have no length limit here. */
function cut(value: unknown, max: number): unknown {
  if (typeof value === 'string') return clipped(value, max)
  return Array.isArray(value) ? value.slice(0, max) : value
}
