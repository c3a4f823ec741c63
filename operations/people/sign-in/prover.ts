/** Asks a signed-in person for their current password before a change of how they sign in. */
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { isFresh } from '../../../runtime/call/recent-sign-in.ts'
import type { MemberCaller } from '../../../runtime/table/caller.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { prover } from '../../../runtime/table/prover.ts'
import type { Db } from '../../../storage/store.ts'
import { isPassword } from './password.ts'
import { usedSince } from '../passkeys/index.ts'
import { passwordOf } from './store.ts'
import { countTry, forgiveTry } from './tries.ts'
import { m } from './messages.ts'

export const password = prover({
  of: 'session',
  asks: async ({ store }, caller, now) => (await asked(store.read, caller, now)) !== undefined,
  async prove(services, { caller, typed, operation }) {
    const { store, config, now, request } = services
    const { accountId, email } = caller.member
    const hashed = await asked(store.read, caller, now)
    if (hashed === undefined) return isFresh(caller, now) ? undefined : fail('reauthentication_required')
    if (typed === undefined) return failWith([{ pointer, code: 'required', message: m.current_password_required() }])
    const trying = { store, config, now, ip: request.ip, account: email }
    await countTry(trying)
    if (await isPassword(typed, hashed)) return forgiveTry(trying)
    await auditPerson(store.write, { ...services, operation, accountId, actor: email, door: 'password', outcome: 'refused' })
    failWith([{ pointer, code: 'mismatch', message: m.current_password_wrong() }])
  },
})

const pointer = '/current_password'

/** The hash of the password that is asked for; undefined if the account has none, or a passkey was used in the last minutes. */
async function asked(db: Db, { member, provedBy, ...caller }: MemberCaller, now: number): Promise<string | undefined> {
  const { provedAt = 0 } = caller
  if (provedBy === 'passkey' && isFresh(caller, now) && (await usedSince(db, member.accountId, provedAt))) return undefined
  return (await passwordOf(db, member.accountId)) ?? undefined
}
