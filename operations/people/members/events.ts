import { event } from '../../../runtime/events/event.ts'
import { OneOf, record } from '../../../runtime/table/schema.ts'
import { Member } from './records.ts'

export const member_added = event({
  type: 'member.added',
  summary: 'A person became a member: through an invitation, or for the first time through single sign-on or SCIM.',
  data: record(
    'MemberAddedEvent',
    {
      member: Member,
      via: OneOf(['invite', 'sso', 'scim'], { description: 'How the person became a member.' }),
    },
    'A new member.',
  ),
})
