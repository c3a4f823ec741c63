import { event } from '../../../runtime/events/event.ts'
import { OneOf, record } from '../../../runtime/table/schema.ts'
import { Member } from './records.ts'

export const member_added = event({
  type: 'member.added',
  summary: 'Someone became a member: by an invite, or by single sign-on or SCIM for the first time.',
  data: record(
    'MemberAddedEvent',
    {
      member: Member,
      via: OneOf(['invite', 'sso', 'scim'], { description: 'How they came.' }),
    },
    'A new member.',
  ),
})
