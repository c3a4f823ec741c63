/** The steps of operations that declare `proof`: they change how the caller signs in. */
import { isMember } from '../table/caller.ts'
import type { Call } from './call.ts'
import { isFresh } from './recent-sign-in.ts'
import { servicesOf } from './run.ts'

/** Checks the current password before the transaction, because that takes a while. @throws Failure */
export async function checkProof(call: Call): Promise<void> {
  const { caller, core, input, operation } = call
  if (!isAsked(call) || !caller || !isMember(caller)) return
  const prover = core.table.provers.find(({ of }) => of === caller.kind)
  const { current_password: typed } = input
  await prover?.prove(servicesOf(call), { caller, typed: typeof typed === 'string' ? typed : undefined, operation: operation.id })
}

/** A password that was typed long after the sign-in is a new sign-in: a copy of the former cookie ends. */
export async function renewCredential(call: Call): Promise<void> {
  const { caller, core, input, at } = call
  if (!isAsked(call) || !caller || input.current_password === undefined || isFresh(caller, at)) return
  await core.table.authenticators.find(({ name }) => name === caller.kind)?.renew?.(servicesOf(call), caller.credentialId)
}

const isAsked = (call: Call): boolean => {
  const { proof } = call.operation
  return typeof proof === 'function' ? proof(servicesOf(call) as never) : proof
}
