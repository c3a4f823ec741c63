/**
 * Whoever ends a credential ends what is written with it: a call that was authenticated before, and comes to write after that, is
 * refused. Otherwise somebody whose session was ended could still set a password, by a call that was under way.
 */
import { fail } from '../table/errors.ts'
import type { Call } from './call.ts'

/** @throws Failure `invalid_token` where the credential ended meanwhile */
export async function holdCredential({ core, caller, db }: Call): Promise<void> {
  const authenticator = core.table.authenticators.find(({ name }) => name === caller?.kind)
  if (!caller || !authenticator?.hold) return
  if (!(await authenticator.hold(db, caller.credentialId, core.store.dialect)))
    fail('invalid_token', 'This session is not known here, or has ended: sign in again.')
}
