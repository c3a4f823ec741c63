/**
 * Locks the credential of a write, so that a call that ends it waits; `lookAgain` finds one that has ended. Otherwise a running call of an
 * ended session could still set a password.
 */
import type { Call } from './call.ts'

export async function holdCredential({ core, caller, db }: Call): Promise<void> {
  const authenticator = core.table.authenticators.find(({ name }) => name === caller?.kind)
  if (caller) await authenticator?.hold?.(db, caller.credentialId, core.store.dialect)
}
