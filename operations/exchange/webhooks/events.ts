/** Events of areas that have no operations of their own yet, and the one that tries a webhook out. */
import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/event.ts'
import { DateTime, OneOf, record } from '../../../runtime/schema.ts'
import { Member } from '../../people/members/records.ts'

export const export_ready = event({
  type: 'export.ready',
  summary: 'The file of an export is ready.',
  data: record('ExportReadyEvent', {
    export_id: Type.String({ description: 'The export.' }),
    expires_at: DateTime({ description: 'Until when its file can be fetched.' }),
  }, 'An export whose file can be fetched.'),
})

export const import_completed = event({
  type: 'import.completed',
  summary: 'An import ended, and what it brought is in the reports.',
  data: record('ImportCompletedEvent', {
    import_id: Type.String({ description: 'The import.' }),
    rows: Type.Integer({ description: 'Rows that were taken over.' }),
  }, 'An import that went well.'),
})

export const import_failed = event({
  type: 'import.failed',
  summary: 'An import ended without bringing anything.',
  data: record('ImportFailedEvent', {
    import_id: Type.String({ description: 'The import.' }),
    error: Type.String({ description: 'What was wrong.' }),
  }, 'An import that failed.'),
})

export const member_added = event({
  type: 'member.added',
  summary: 'Someone became a member: by an invite, or by single sign-on or SCIM for the first time.',
  data: record('MemberAddedEvent', {
    member: Member,
    via: OneOf(['invite', 'sso', 'scim'], { description: 'How they came.' }),
  }, 'A new member.'),
})

export const webhook_test = event({
  type: 'webhook.test',
  summary: 'Somebody tried a webhook out. It is sent to that webhook alone, and none names it in `events`.',
  data: record('WebhookTestEvent', {
    webhook_id: Type.String({ description: 'The webhook.' }),
    message: Type.String({ description: 'Says that nothing happened.' }),
  }, 'Nothing but a test.'),
})
