/** Messages of signing up: its mails, pages and errors. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sign_up', {
  you_have_an_account_already: 'You already have an account',
  somebody_probably_you_asked_for_an:
    'An account was requested with this e-mail address at {address}, probably by you. You already have one: sign in, or set a new password.',
  somebody_probably_you_asked_for_an_2:
    'An account was requested with this e-mail address at {address}, probably by you. Open this link within three days to create it:',
  there_is_an_account_with_this:
    'An account with this address already exists, but its address was never proved. It becomes yours, and its password, passkeys, second factor, sessions and API tokens end. If you created it, sign in instead.',
  if_that_was_not_you_there: 'If that was not you, there is nothing to do.',
  sign_up: 'Sign up',
  you_have_an_account: 'Do you have an account?',
  accounts_are_made_by_invitation: 'Accounts are created by invitation',
  ask_for_an_invitation: 'Ask a person who has an account here to invite you.',
  link_was_mailed: 'We have mailed a link to the address that you entered. Open it within three days to create your account.',
  used_or_expired: 'It was used or has expired. {again}, or {sign_in}.',
  sign_up_again: 'Sign up again',
  sign_in: 'sign in',
  name_of_your_workspace: 'Name of your workspace',
  workspace_name_help: 'The name of your company or project. The workspace contains your sites and members.',
  make_my_account: 'Create my account',
  link_ended: 'This link is no longer valid: it was used or has expired. Sign up again.',
  account_exists_by_now: 'An account with this address exists by now. Sign in.',
  accounts_by_invitation: 'This installation creates accounts only by invitation, because SIGN_UP is not "open".',
  no_mails: 'This installation sends no mails, because SMTP_URL is not set.',
})
