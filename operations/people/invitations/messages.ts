/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('invitations', {
  who_invites_you_to_workspace_on: '{who} invites you to {workspace} on Footfall',
  who_invites_you_to_the_workspace: '{who} invites you to the workspace {workspace} at {address}, as {role}. Accept within 7 days:',
  if_you_do_not_know_them: 'If you do not know them, there is nothing to do.',
  this_invitation_has_ended: 'This invitation has ended',
  it_was_accepted_or_taken_back: 'It was accepted or taken back, or its time is over. Ask who invited you for another.',
  join_workspace: 'Join {workspace}',
  who_invites_you_to_the_workspace_2: '{who} invites you to the workspace {workspace}, as {role}.',
  join_as_email: 'Join as {email}',
  join: 'Join',
  you_have_an_account_here: 'You have an account here?',
  sign_in_and_join: 'Sign in and join',
  invitation_ended: 'This invitation is not good any more: it was accepted or taken back, or its time is over. Ask for another.',
  accept_needs_password_or_passkey:
    'Sign in with a password or a passkey to accept it: single sign-on opens the workspace that it belongs to.',
  password_or_sign_in_required: 'password is required, or to be signed in.',
  already_a_member: 'You are a member of this workspace already.',
  sign_in_first: 'This did not work. If you have an account here already, sign in first, then open the link again.',
  member_has_this_address: 'There is a member with this address.',
  already_invited: 'Somebody has invited this address already: send that invitation again.',
  most_open_invitations: 'A workspace has {most, number} open invitations at most.',
})
