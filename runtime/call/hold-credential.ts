/**
 * Refuses a write whose credential has ended since it was authenticated. Otherwise a running call of an ended session could
 * still set a password.
 */
import { fail } from '../table/errors.ts'
import type { Call } from './call.ts'
import { m } from './messages.ts'

/** @throws Failure `invalid_token` if the credential has ended meanwhile */
export async function holdCredential({ core, caller, db }: Call): Promise<void> {
  const authenticator = core.table.authenticators.find(({ name }) => name === caller?.kind)
  if (!caller || !authenticator?.hold) return
  if (!(await authenticator.hold(db, caller.credentialId, core.store.dialect))) fail('invalid_token', m.session_ended())
}
