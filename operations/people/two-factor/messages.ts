/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('two_factor', {
  scan_this_with_an_app_such: 'Scan this with an app such as Aegis, 2FAS, Google Authenticator or your password manager.',
  the_secret_as_a_picture_to: 'The secret as a picture to scan; the same secret follows as text',
  or_link_or_type_this: 'Or {link}, or type this:',
  open_it_on_this_device: 'open it on this device',
  the_six_digits_that_it_shows: 'The six digits that it shows',
  turn_it_on: 'Turn it on',
  not_now: 'Not now',
  begin_again_with_another_secret: 'Begin again with another secret',
  copied: 'Copied',
  copy: 'Copy',
  recovery_codes_for_footfall: 'Recovery codes for Footfall',
  recovery_codes: 'Recovery codes',
  keep_these_where_you_keep_what:
    'Keep these where you keep what you must not lose. Each lets you in once when the app is gone. They are shown for ten minutes, and then not again.',
  download: 'Download',
  print: 'Print',
  i_have_kept_them: 'I have kept them',
  turn_it_off_first: 'There is a second factor already: turn it off first.',
  there_already: 'There is a second factor already.',
  wrong_code: 'That is not the current code. Is the clock of the phone right?',
  turned_on: 'A second factor was turned on for your account.',
  turned_off: 'The second factor of your account was turned off.',
  not_set_up: 'There is no second factor: set it up first.',
  new_codes: 'New recovery codes were made for your account.',
})
