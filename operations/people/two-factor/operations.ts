import { fail, Failure } from '../../../runtime/errors.ts'
import { operation, type Services } from '../../../runtime/operation.ts'
import type { MemberCaller } from '../../../runtime/caller.ts'
import { noteFactors } from '../account/index.ts'
import { sendNotice } from '../mail/index.ts'
import { browserOf, factorsChanged } from '../sessions/index.ts'
import { codesShown, setupShown } from './pages.tsx'
import { code, RecoveryCodes, TwoFactor, TwoFactorSetup } from './records.ts'
import { beginTotp, endTotp, hasBegun, hasTotp, makeRecoveryCodes, takeCode, totpOf } from './totp.ts'

const form = { page: 'GET /account' } as const

export const two_factor_setup = operation({
  route: 'POST /account/two_factor',
  summary: 'Begin a second factor',
  description: 'An app takes the secret; `two_factor_enable` with its first code puts it in force. Nothing is asked for until then.',
  access: 'session',
  fresh: true,
  effect: 'update',
  input: {},
  output: TwoFactorSetup,
  secrets: ['secret', 'uri', 'qr'],
  form: { ...form, after: setupShown },
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const { accountId, email } = caller.member
    if (await hasTotp(services.db, accountId)) fail('invalid_state', 'There is a second factor already: turn it off first.')
    const secret = await beginTotp(services, accountId)
    const uri = totpOf(secret, email).toString()
    const { default: qrCode } = await import('qrcode')
    return { secret, uri, qr: await qrCode.toString(uri, { type: 'svg', margin: 2 }) }
  },
})

export const two_factor_enable = operation({
  route: 'PATCH /account/two_factor',
  summary: 'Put a second factor in force',
  description: 'With the first code of the app. The answer has ten recovery codes, shown this one time.',
  access: 'session',
  fresh: true,
  effect: 'update',
  input: { code },
  output: RecoveryCodes,
  secrets: ['code', 'recovery_codes'],
  form: { page: 'GET /account/two_factor', after: codesShown },
  examples: [{ input: { code: '{{totp_code}}' } }],
  async run({ caller, input, ...services }) {
    const { db, now } = services
    const { accountId } = caller.member
    if (await hasTotp(db, accountId)) fail('invalid_state', 'There is a second factor already.')
    if (!(await takeCode(services, accountId, input.code))) {
      throw new Failure('validation_failed', undefined, [
        { pointer: '/code', code: 'mismatch', message: 'That is not the current code. Is the clock of the phone right?' },
      ])
    }
    await db.updateTable('totp').set({ enabled_at: now }).where('account_id', '=', accountId).execute()
    await noteFactors(db, accountId, { twoFactor: true })
    await factorsChanged(services, caller)
    await told(services, caller, { what: 'A second factor was turned on for your account.' })
    return { recovery_codes: await makeRecoveryCodes(services, accountId) }
  },
})

export const two_factor_disable = operation({
  route: 'DELETE /account/two_factor',
  summary: 'Turn the second factor off',
  access: 'session',
  fresh: true,
  effect: 'delete',
  input: {},
  output: TwoFactor,
  form: { ...form, after: () => '/account' },
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const { accountId } = caller.member
    if (await endTotp(services.db, accountId)) {
      await noteFactors(services.db, accountId, { twoFactor: false })
      await factorsChanged(services, caller)
      await told(services, caller, { what: 'The second factor of your account was turned off.' })
    }
    return { enabled: false }
  },
})

export const two_factor_codes = operation({
  route: 'POST /account/two_factor/codes',
  summary: 'Make new recovery codes',
  description: 'Ten new ones, shown this one time; those before are good no more.',
  access: 'session',
  fresh: true,
  effect: 'update',
  input: {},
  output: RecoveryCodes,
  secrets: ['recovery_codes'],
  form: { ...form, after: codesShown },
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const { accountId } = caller.member
    if (!(await hasBegun(services.db, accountId))) fail('invalid_state', 'There is no second factor: set it up first.')
    await factorsChanged(services, caller)
    await told(services, caller, { what: 'New recovery codes were made for your account.' })
    return { recovery_codes: await makeRecoveryCodes(services, accountId) }
  },
})

function told(services: Services, { member }: MemberCaller, { what }: { what: string }): Promise<void> {
  return sendNotice(services, { to: member.email, what, browser: say => browserOf(services.request.header('user-agent') ?? '', say) })
}
