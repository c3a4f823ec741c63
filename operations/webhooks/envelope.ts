/** What is sent: the event in its envelope (decisions.md §3). Its text is kept: what is sent again is the same. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, record } from '../../runtime/schema.ts'
import type { EventRow } from '../../storage/tables.ts'

export const Envelope = record('WebhookPayload', {
  id: Type.String({ description: 'Prefix `evt_`; the same in every delivery of the event.' }),
  type: Type.String({ description: 'Kind of event.' }),
  created_at: DateTime({ description: 'When it happened.' }),
  timestamp: DateTime({ description: 'The same, as Standard Webhooks names it.' }),
  workspace_id: Type.String({ description: 'Workspace it happened in.' }),
  site_id: Nullable(Type.String(), { description: 'Site it happened to; null where it is the whole workspace.' }),
  data: Type.Object({}, { description: 'By the kind of event.' }),
}, 'The body that is posted.')

export function envelopeText({ id, type, workspace_id, site_id, data, created_at }: EventRow): string {
  const at = iso(created_at)
  return JSON.stringify({ id, type, created_at: at, timestamp: at, workspace_id, site_id, data: JSON.parse(data) })
}
