/** Messages of invitations: their mails, pages and errors. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('invitations', {
  invited: 'Invited',
  link_ends: 'The link is valid until {when}',
  link_ended: 'The link ended {when}',
  who_invites_you_to_workspace_on: '{who} invites you to {workspace} on Footfall',
  who_invites_you_to_the_workspace: '{who} invites you to the workspace {workspace} at {address}, as {role}. Accept within 7 days:',
  if_you_do_not_know_them: 'If you do not know this person, there is nothing to do.',
  this_invitation_has_ended: 'This invitation has ended',
  accepted_or_withdrawn: 'It was accepted, withdrawn, or has expired. Ask the person who invited you for a new one.',
  join_workspace: 'Join {workspace}',
  who_invites_you_to_the_workspace_2: '{who} invites you to the workspace {workspace}, as {role}.',
  join_as_email: 'Join as {email}',
  join: 'Join',
  sent_to_another_address: 'It was sent to {email}. You join with the account that you are signed in to.',
  to_workspace: 'To {workspace}',
  you_have_an_account_here: 'Do you already have an account here?',
  sign_in_and_join: 'Sign in and join',
  invitation_ended: 'This invitation is no longer valid: it was accepted, withdrawn, or has expired. Ask for a new one.',
  accept_needs_password_or_passkey:
    'Sign in with a password or a passkey to accept the invitation. Single sign-on opens only its own workspace.',
  password_or_sign_in_required: 'password is required unless you are signed in.',
  already_a_member: 'You are already a member of this workspace.',
  sign_in_first: 'The invitation could not be accepted. If you already have an account here, sign in first, then open the link again.',
  member_has_this_address: 'A member already has this address.',
  already_invited: 'This address is already invited. Send that invitation again.',
  most_open_invitations: 'A workspace has at most {most, number} open invitations.',
  was_mailed: 'The invitation was mailed to {email}.',
  not_mailed: 'No mail was sent. Send this link to {email} yourself.',
  their_address: 'E-mail address',
  may: 'Role',
})
