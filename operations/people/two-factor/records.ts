/** A second factor: codes that an app counts out (RFC 6238), and ten that are written down. */
import { Type } from '@sinclair/typebox'
import { record } from '../../../runtime/table/schema.ts'

export const code = Type.String({ minLength: 6, maxLength: 40, description: 'The six digits that the app shows.' })
export const recoveryCode = Type.String({ minLength: 8, maxLength: 40, description: 'One of the recovery codes.' })

export const TwoFactorSetup = record(
  'TwoFactorSetup',
  {
    secret: Type.String({ description: 'For apps that it is typed into, base32.' }),
    uri: Type.String({ description: 'For apps that it is handed to: `otpauth://totp/…`.' }),
    qr: Type.String({ description: 'The same as a picture to be scanned, SVG.' }),
  },
  'A second factor that is good once its first code was right.',
)

export const RecoveryCodes = record(
  'RecoveryCodes',
  { recovery_codes: Type.Array(Type.String(), { description: 'Ten codes, each good once. Shown this one time.' }) },
  'What to sign in with when the app is lost.',
)

export const TwoFactor = record(
  'TwoFactor',
  {
    enabled: Type.Boolean({ description: 'Whether sign-in asks for a code.' }),
    recovery_codes_left: Type.Integer({ unit: 'count', description: 'Number of recovery codes that were not used yet.' }),
    recovery_codes_outdated: Type.Boolean({
      description: 'Whether they were made before version 0.7, which makes longer ones. They stay valid; `two_factor_codes` replaces them.',
    }),
  },
  'The second factor of an account, and what is left of its recovery codes.',
)
