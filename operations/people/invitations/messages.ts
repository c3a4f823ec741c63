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
})
