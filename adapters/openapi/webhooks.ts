/** Events as OpenAPI webhooks: what is posted to a user's endpoint (docs/decisions.md §3). */
import type { ParameterObject, PathItemObject, SchemaObject } from 'openapi3-ts/oas31'
import type { EventKind } from '../../runtime/events/event.ts'
import type { Described, SchemaBook } from './schemas.ts'

const header = (name: string, description: string): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const headers: Readonly<Record<string, ParameterObject>> = {
  ServiceSignature: header('Service-Signature', '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "{t}.{body}">`.'),
  WebhookId: header('webhook-id', "The event's id: the same whenever the event is sent again."),
  WebhookTimestamp: header('webhook-timestamp', 'Unix seconds of this attempt.'),
  WebhookSignature: header('webhook-signature', '`v1,<base64 HMAC-SHA256 of "{id}.{timestamp}.{body}">`.'),
}

export function webhookParameters(events: readonly EventKind[]): Record<string, ParameterObject> {
  return events.length === 0 ? {} : { ...headers }
}

export function describeWebhook({ type, summary, data }: EventKind, book: SchemaBook): PathItemObject {
  return {
    post: {
      operationId: `webhook_${type.replaceAll('.', '_')}`,
      summary: type,
      description: `${summary}\n\nDelivery is at least once and unordered; only an answer of 2xx counts as received.`,
      security: [],
      parameters: Object.keys(headers).map(name => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: { required: true, content: { 'application/json': { schema: envelope(type, book.of(data)) } } },
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'Never send here again: the webhook is disabled.' },
      },
    },
  }
}

function envelope(type: string, data: Described): SchemaObject {
  const properties: Record<string, Described> = {
    id: { type: 'string', description: 'Prefix `evt_`.' },
    type: { type: 'string', const: type, description: 'Kind of event.' },
    created_at: { type: 'string', format: 'date-time', description: 'When it happened.' },
    timestamp: { type: 'string', format: 'date-time', description: 'The same, as Standard Webhooks names it.' },
    workspace_id: { type: 'string', description: 'Workspace it happened in.' },
    site_id: { type: ['string', 'null'], description: 'Site it happened to; null where it is the whole workspace.' },
    data,
  }
  return { type: 'object', required: Object.keys(properties), properties }
}
