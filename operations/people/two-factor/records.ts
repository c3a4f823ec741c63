/** A second factor: codes that an app computes (RFC 6238), and ten recovery codes. */
import { Type } from '@sinclair/typebox'
import { record } from '../../../runtime/table/schema.ts'

export const code = Type.String({ minLength: 6, maxLength: 40, description: 'Six-digit code from the app.' })
export const recoveryCode = Type.String({ minLength: 8, maxLength: 40, description: 'One of the recovery codes.' })

export const TwoFactorSetup = record(
  'TwoFactorSetup',
  {
    secret: Type.String({ description: 'Secret to type into an app, base32.' }),
    uri: Type.String({ description: 'The secret as a link that opens an app: `otpauth://totp/…`.' }),
    qr: Type.String({ description: 'The secret as a QR code, SVG.' }),
  },
  'A second factor that its first valid code activates.',
)

export const RecoveryCodes = record(
  'RecoveryCodes',
  { recovery_codes: Type.Array(Type.String(), { description: 'Ten codes, each valid once. Only this response contains them.' }) },
  'Codes to sign in with if the app is lost.',
)

export const TwoFactor = record(
  'TwoFactor',
  {
    enabled: Type.Boolean({ description: 'Whether sign-in requires a code.' }),
    recovery_codes_left: Type.Integer({ unit: 'count', description: 'Number of unused recovery codes.' }),
    recovery_codes_outdated: Type.Boolean({
      description:
        'Whether the codes were created before version 0.7, which creates longer ones. They stay valid; `two_factor_codes` replaces them.',
    }),
  },
  'The second factor of an account, and its remaining recovery codes.',
)
