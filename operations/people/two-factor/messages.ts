/** Messages about the second factor: its pages, mails and errors. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('two_factor', {
  scan_the_code: 'Scan this with an app such as Aegis, 2FAS, Google Authenticator or your password manager.',
  qr_code_of_the_secret: 'QR code of the secret; the same secret follows as text',
  or_link_or_type_this: 'Or {link}, or type this:',
  open_it_on_this_device: 'open it on this device',
  six_digit_code_from_the_app: 'Six-digit code from the app',
  turn_it_on: 'Turn it on',
  not_now: 'Not now',
  copied: 'Copied',
  copy: 'Copy',
  recovery_codes_for_footfall: 'Recovery codes for Footfall',
  recovery_codes: 'Recovery codes',
  keep_the_codes:
    'Keep these codes in a safe place. Each signs you in once if you lose the app. They are shown for ten minutes, and never again.',
  download: 'Download',
  print: 'Print',
  i_have_kept_them: 'I have kept them',
  turn_it_off_first: 'A second factor is already active. Turn it off first.',
  there_already: 'A second factor is already active.',
  wrong_code: 'The code is not correct or has expired. Check the clock of your phone.',
  turned_on: 'A second factor was turned on for your account.',
  turned_off: 'The second factor of your account was turned off.',
  not_set_up: 'No second factor is set up. Set it up first.',
  new_codes: 'New recovery codes were created for your account.',
})
