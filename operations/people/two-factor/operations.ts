import type { Static } from '@sinclair/typebox'
import { fail, Failure } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { proofInput } from '../../../runtime/table/prover.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import type { MemberCaller } from '../../../runtime/table/caller.ts'
import { noteFactors } from '../account/index.ts'
import { sendNotice } from '../mail/index.ts'
import { browserOf, factorsChanged } from '../sessions/index.ts'
import { codesShown } from './recovery-codes-page.tsx'
import type { Db } from '../../../storage/store.ts'
import { code, RecoveryCodes, TwoFactor, TwoFactorSetup } from './records.ts'
import { setupOf } from './setup.ts'
import { beginTotp, endTotp, hasBegun, hasTotp, makeRecoveryCodes, recoveryCodesOf, takeCode } from './totp.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

const form = { page: 'GET /account' } as const

export const two_factor_get = operation({
  route: 'GET /account/two_factor',
  summary: 'Get the second factor',
  access: 'session',
  ofPerson: true,
  effect: 'read',
  input: {},
  output: TwoFactor,
  examples: [{ input: {} }],
  run: ({ db, caller }) => twoFactorOf(db, caller.member.accountId),
})

export const two_factor_setup = operation({
  route: 'POST /account/two_factor',
  summary: 'Begin to set up a second factor',
  description:
    'Returns a secret for an app. `two_factor_enable` with the first code of the app activates it; until then, sign-in requires no code. Each call ' +
    'creates another secret.',
  access: 'session',
  ofPerson: true,
  proof: true,
  effect: 'update',
  input: { ...proofInput },
  output: TwoFactorSetup,
  secrets: ['secret', 'uri', 'qr'],
  form: { ...form, after: () => '/account/two_factor' },
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const { accountId, email } = caller.member
    if (await hasTotp(services.db, accountId)) fail('invalid_state', m.turn_it_off_first())
    const secret = await beginTotp(services, accountId)
    return setupOf(secret, email)
  },
})

export const two_factor_enable = operation({
  route: 'PATCH /account/two_factor',
  summary: 'Activate a second factor',
  done: 'Second factor turned on.',
  description:
    'Takes the first code of the app. Only this response contains the ten recovery codes. Ends all other sessions of the account.',
  access: 'session',
  ofPerson: true,
  fresh: true,
  locks: ({ db, caller }) =>
    db
      .updateTable('totp')
      .set(({ ref }) => ({ enabled_at: ref('enabled_at') }))
      .where('account_id', '=', caller.member.accountId)
      .execute(),
  effect: 'update',
  input: { code },
  output: RecoveryCodes,
  secrets: ['code', 'recovery_codes'],
  form: { page: 'GET /account/two_factor', after: codesShown },
  examples: [{ input: { code: '{{totp_code}}' } }],
  async run({ caller, input, ...services }) {
    const { db, now } = services
    const { accountId } = caller.member
    if (await hasTotp(db, accountId)) fail('invalid_state', m.there_already())
    if (!(await takeCode(services, accountId, input.code))) {
      throw new Failure('validation_failed', undefined, { details: [{ pointer: '/code', code: 'mismatch', message: m.wrong_code() }] })
    }
    await db.updateTable('totp').set({ enabled_at: now }).where('account_id', '=', accountId).execute()
    await noteFactors(db, accountId, { twoFactor: true })
    await factorsChanged(services, caller)
    await notify(services, caller, { what: m.turned_on() })
    return { recovery_codes: await makeRecoveryCodes(services, accountId) }
  },
})

export const two_factor_disable = operation({
  route: 'DELETE /account/two_factor',
  summary: 'Turn the second factor off',
  done: 'Second factor turned off.',
  description: 'Deletes its recovery codes, and ends all other sessions of the account.',
  access: 'session',
  ofPerson: true,
  proof: true,
  effect: 'delete',
  input: { ...proofInput },
  output: TwoFactor,
  form: { ...form, after: () => '/account' },
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const { accountId } = caller.member
    if (await endTotp(services.db, accountId)) {
      await noteFactors(services.db, accountId, { twoFactor: false })
      await factorsChanged(services, caller)
      await notify(services, caller, { what: m.turned_off() })
    }
    return twoFactorOf(services.db, accountId)
  },
})

export const two_factor_codes = operation({
  route: 'POST /account/two_factor/codes',
  summary: 'Make new recovery codes',
  done: 'Recovery codes renewed.',
  description: 'Returns ten new codes, only in this response; the previous ones become invalid. Ends all other sessions of the account.',
  access: 'session',
  ofPerson: true,
  proof: true,
  effect: 'update',
  input: { ...proofInput },
  output: RecoveryCodes,
  secrets: ['recovery_codes'],
  form: { ...form, after: codesShown },
  examples: [{ input: {} }],
  async run({ caller, ...services }) {
    const { accountId } = caller.member
    if (!(await hasBegun(services.db, accountId))) fail('invalid_state', m.not_set_up())
    await factorsChanged(services, caller)
    await notify(services, caller, { what: m.new_codes() })
    return { recovery_codes: await makeRecoveryCodes(services, accountId) }
  },
})

async function twoFactorOf(db: Db, accountId: string): Promise<Static<typeof TwoFactor>> {
  const { left, isShort } = await recoveryCodesOf(db, accountId)
  return { enabled: await hasTotp(db, accountId), recovery_codes_left: left, recovery_codes_outdated: isShort }
}

function notify(services: Services, { member }: MemberCaller, { what }: { what: Message }): Promise<void> {
  return sendNotice(services, { to: member.email, what, browser: say => browserOf(services.request.header('user-agent') ?? '', say) })
}
