/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sign_up', {
  you_have_an_account_already: 'You have an account already',
  somebody_probably_you_asked_for_an:
    'Somebody, probably you, asked for an account at {address}. You have one: sign in, or set a new password.',
  somebody_probably_you_asked_for_an_2:
    'Somebody, probably you, asked for an account at {address}. Open this within three days to make it:',
  there_is_an_account_with_this:
    'There is an account with this address already, made without proof that the address is theirs. It becomes yours: its password, passkeys, second factor, sessions and API tokens end. If you made it, sign in instead.',
  if_that_was_not_you_there: 'If that was not you, there is nothing to do.',
  sign_up: 'Sign up',
  you_have_an_account: 'You have an account?',
  accounts_are_made_by_invitation: 'Accounts are made by invitation',
  ask_a_person_who_has_an: 'Ask a person who has an account here to invite you.',
  a_link_is_on_its_way: 'A link is on its way to the address that you entered. Open it within three days, and the account is yours.',
  it_was_used_or_its_time: 'It was used, or its time is over. {again}, or {sign_in}.',
  sign_up_again: 'Sign up again',
  sign_in: 'sign in',
  name_of_your_workspace: 'Name of your workspace',
  of_your_company_or_project_your: 'Of your company or project: your sites and colleagues are in it.',
  make_my_account: 'Make my account',
  link_ended: 'This link is not good any more: it was used, or its time is over. Sign up again.',
  account_exists_by_now: 'There is an account with this address by now: sign in.',
  accounts_by_invitation: 'Accounts are made by invitation here: SIGN_UP is not "open".',
  no_mails: 'This installation sends no mails: SMTP_URL is not set.',
})
