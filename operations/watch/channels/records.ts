/** Notification channels, which carry messages to people, and the messages. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import { restoreMessages, sentenceOf } from '../../../runtime/texts/message.ts'
import type { ChannelRow, NotificationRow } from '../../../storage/tables/index.ts'
import { type Message, messageTypes } from './message.ts'
import { kinds, mailboxesOf } from './target.ts'
import { idKind } from '../../../runtime/values/ids.ts'

export const ids = { channel: idKind('nch_'), notification: idKind('ntf_') }

export const Channel = record(
  'NotificationChannel',
  {
    id: Type.String({ description: 'Prefix `nch_`.' }),
    workspace_id: Type.String({ description: 'Workspace it belongs to.' }),
    name: Type.String({ description: 'Name shown in lists.' }),
    kind: OneOf(kinds, { description: 'Product that receives the messages.' }),
    emails: Type.Array(Type.String(), { description: 'Addresses of the recipients; empty unless the kind is email.' }),
    url: Nullable(Type.String(), { description: 'URL that receives the messages, masked; null for email.' }),
    last_sent_at: Nullable(DateTime(), { description: 'Time of the last message that was sent.' }),
    last_error: Nullable(Sentence(), { description: 'Error of the latest message; null if it was sent.' }),
    last_error_at: Nullable(DateTime(), { description: 'Time of that error.' }),
    created_at: DateTime({ description: 'Creation time.' }),
    updated_at: DateTime({ description: 'Time of the last change.' }),
  },
  'A notification channel: a destination of alerts.',
)

export const notificationStates = ['pending', 'sent', 'failed'] as const satisfies NotificationRow['status'][]

export const Notification = record(
  'Notification',
  {
    id: Type.String({ description: 'Prefix `ntf_`; also the `id` of the posted message, by which a receiver recognizes a retry.' }),
    channel_id: Type.String({ description: 'Channel that receives it.' }),
    type: OneOf(messageTypes, { description: 'Type of the event.' }),
    title: Sentence({ description: 'Heading, on one line.' }),
    text: Sentence({ description: 'Sentence that describes the event.' }),
    status: OneOf(notificationStates, { description: 'State of the delivery.' }),
    attempt: Type.Integer({ unit: 'count', description: 'Number of attempts so far.' }),
    error: Nullable(Sentence(), { description: 'Error of the last attempt.' }),
    next_attempt_at: Nullable(DateTime(), { description: 'Time of the next attempt; null if there is none.' }),
    sent_at: Nullable(DateTime(), { description: 'Time at which it was sent.' }),
    created_at: DateTime({ description: 'Creation time.' }),
  },
  'A message to a notification channel.',
)

/** Visible to tokens restricted to sites too, because their alerts may name it. */
export const channel = subject<'channel', ChannelRow>({
  name: 'channel',
  table: 'channels',
  async find(db, id) {
    const row = await db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
})

export function toChannel(row: ChannelRow): Static<typeof Channel> {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    kind: row.kind,
    emails: mailboxesOf(row),
    url: row.shown,
    last_sent_at: iso(row.last_sent_at),
    last_error: row.last_error === null ? null : sentenceOf(row.last_error),
    last_error_at: iso(row.last_error_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function messageOf({ message }: Pick<NotificationRow, 'message'>): Message {
  return JSON.parse(message, restoreMessages) as Message // written by queue.ts
}

export function toNotification(row: NotificationRow): Static<typeof Notification> {
  const { type, title, text } = messageOf(row)
  return {
    id: row.id,
    channel_id: row.channel_id,
    type,
    title,
    text,
    status: row.status,
    attempt: row.attempt,
    error: row.error === null ? null : sentenceOf(row.error),
    next_attempt_at: iso(row.due_at),
    sent_at: iso(row.sent_at),
    created_at: iso(row.created_at),
  }
}
