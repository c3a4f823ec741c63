/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('account', {
  confirm_your_new_e_mail_address: 'Confirm your new e-mail address',
  somebody_wants_to_use_this_address:
    'Somebody wants to use this address for their account at {address}. If that is you, confirm it within a day:',
  if_it_is_not_you_there: 'If it is not you, there is nothing to do.',
  it_was_undone_by_a_link: 'It was undone by a link that had been mailed to the former address. All browsers are signed out.',
  if_that_was_you_there_is:
    'If that was you, there is nothing to do. If it was not, open this page within {days} days: it makes this address the one of your account again and signs out everybody. Then you choose a new password.',
  address_of_another_account: 'Another account has this address.',
  address_change_asked: 'Somebody asked to change the e-mail address of your account.',
  marketing_emails_unsubscribed: 'marketing_emails was unsubscribed from; turning it on again needs a signed-in browser.',
  change_needs_password_or_passkey: 'Sign in with a password or a passkey to change the address.',
  link_not_for_this_account: 'This link is not good any more, or not for this account: ask for the change once more.',
  no_address_waits: 'No new address waits to be confirmed.',
  undo_link_ended: 'This link is not good any more: it was used, or its time is over.',
  address_changed_back: 'The e-mail address of your account was changed back.',
  address_changed: 'The e-mail address of your account was changed.',
  no_mails: 'This installation sends no mails: SMTP_URL is not set.',
})
