/** The steps of operations that declare `proof`: they change how the caller signs in. */
import { isMember } from '../table/caller.ts'
import type { Call } from './call.ts'
import { isFresh } from './recent-sign-in.ts'
import { servicesOf } from './run.ts'

/** Checks the current password before the transaction, because that takes a while. @throws Failure */
export async function checkProof(call: Call): Promise<void> {
  const { caller, core, operation } = call
  if (!isAsked(call) || !caller || !isMember(caller)) return
  const prover = core.table.provers.find(({ of }) => of === caller.kind)
  await prover?.prove(servicesOf(call), { caller, typed: typedIn(call), operation: operation.id })
}

/** A password that was typed long after the sign-in is a new sign-in: a copy of the former cookie ends. */
export async function renewCredential(call: Call): Promise<void> {
  const { caller, core, at } = call
  if (!isAsked(call) || !caller || typedIn(call) === undefined || isFresh(caller, at)) return
  await core.table.authenticators.find(({ name }) => name === caller.kind)?.renew?.(servicesOf(call), caller.credentialId)
}

/** The password as it was sent. A form sends an empty field for none. */
const typedIn = ({ input: { current_password: typed } }: Call): string | undefined =>
  typeof typed === 'string' && typed !== '' ? typed : undefined

const isAsked = (call: Call): boolean => {
  const { proof } = call.operation
  return typeof proof === 'function' ? proof(servicesOf(call) as never) : proof
}
