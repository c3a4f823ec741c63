/** Messages about accounts: changed addresses and their confirmation. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('account', {
  confirm_your_new_e_mail_address: 'Confirm your new e-mail address',
  account_wants_your_address: 'An account at {address} wants to use this e-mail address. If that was you, confirm it within a day:',
  if_it_is_not_you_there: 'If it was not you, there is nothing to do.',
  change_was_undone: 'The change was undone with a link that had been mailed to the former address. All browsers are signed out.',
  if_that_was_you_there_is:
    'If that was you, there is nothing to do. If it was not, open this page within {days} days. It restores this address for your account and signs out all browsers. Then you choose a new password.',
  address_of_another_account: 'Another account has this address.',
  address_change_asked: 'A change of the e-mail address of your account was requested.',
  marketing_emails_unsubscribed: 'marketing_emails was turned off with an unsubscribe link. To turn it on again, use a signed-in browser.',
  change_needs_password_or_passkey: 'Sign in with a password or a passkey to change the address.',
  link_of_another_account: 'This link is no longer valid, or belongs to another account. Request the change again.',
  no_address_waits: 'No new address is waiting for confirmation.',
  undo_the_change: 'Undo the change',
  undo_link_ended: 'This link is no longer valid: it was used or has expired.',
  address_changed_back: 'The e-mail address of your account was changed back.',
  address_changed: 'The e-mail address of your account was changed.',
  no_mails: 'This installation sends no mails, because SMTP_URL is not set.',
  address_of_account: 'the e-mail address of the account',
})
