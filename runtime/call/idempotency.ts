/**
 * The two steps of `Idempotency-Key`: claim the key before the operation runs, and store its answer after. An answer
 * with a secret is stored sealed: a client that lost it receives the same bytes again, and no copy of the database shows it.
 */
import { isTransaction } from '../../storage/store.ts'
import { fail } from '../errors.ts'
import { claim, type IdempotencyKey, keepAnswer as keep, keptAnswer } from '../idempotency.ts'
import { secretBox } from '../secret-box.ts'
import type { Answered, Call } from './call.ts'

/** @throws Failure 409 while the first request is under way, 422 if the key was used with another input */
export async function claimKey(call: Call): Promise<void> {
  if (!call.key || !isTransaction(call.db)) return
  const key = await guarded(call, call.key)
  await replay(call, key, await claim(call.db, key, call.at))
}

/** Before `prepare`: what was done already is not prepared again. @throws Failure as `claimKey` */
export async function findAnswer(call: Call): Promise<void> {
  if (!call.key) return
  const key = await guarded(call, call.key)
  await replay(call, key, await keptAnswer(call.db, key, call.at))
}

/** A password in the input could be guessed from its plain hash. */
async function guarded({ core, operation, db }: Call, key: IdempotencyKey): Promise<IdempotencyKey> {
  if (operation.secrets.length === 0) return key
  const [fingerprint = '', ...former] = await core.use(secretBox).digests(db, key.fingerprint)
  return { ...key, fingerprint, former }
}

async function replay(call: Call, key: IdempotencyKey, kept: string | undefined): Promise<void> {
  if (kept === undefined) return
  const text = kept.startsWith('{') ? kept : await call.core.use(secretBox).unseal(call.db, kept, nameOf(key))
  if (text === null) fail('invalid_state', 'This was done already, and its answer was sealed under a key that is not there any more.')
  call.answer = JSON.parse(text) as Answered // written by keepAnswer
  call.replayed = true
}

export async function keepAnswer({ core, key, answer, operation, db }: Call): Promise<void> {
  if (!key || !answer || !isTransaction(db)) return
  const text = JSON.stringify(answer)
  await keep(db, key, operation.secrets.length > 0 ? await core.use(secretBox).seal(db, text, nameOf(key)) : text)
}

/** The context that a sealed answer is bound to. */
export const nameOf = ({ token_id, operation, key }: IdempotencyKey): string => `${token_id} ${operation} ${key}`
