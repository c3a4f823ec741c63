/** Messages that several areas say. */
import { messages } from './message.ts'

export const common = messages('common', {
  unsubscribe: 'Unsubscribe',
  open: 'Open',
  there_is_nothing_here: 'There is nothing here',
  password: 'Password',
  current_password: 'Current password',
  confirm_your_address: 'Confirm your address',
  e_mail_address: 'E-mail address',
  name: 'Name',
  at_least_least_characters_a_sentence: 'At least {least} characters. A sentence is easy to remember and hard to guess.',
  your_account: 'Your account',
  mail_me_a_link: 'Mail me a link',
  single_sign_on: 'Single sign-on',
  confirm: 'Confirm',
  this_link_has_ended: 'This link has ended',
  sign_in: 'Sign in',
  second_factor: 'Second factor',
  look_into_your_mail: 'Look into your mail',
  quoted: '“{text}”',
  item_number: '{item} {number}',
  field_of_item: '{field} ({item})',
})
