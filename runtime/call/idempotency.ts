/** The two steps of `Idempotency-Key`: claim the key before the operation runs, and store its answer after. */
import { isTransaction } from '../../storage/store.ts'
import { redacted } from '../audit.ts'
import { claim, keepAnswer as keep } from '../idempotency.ts'
import type { Answered, Call } from './call.ts'

/** @throws Failure 409 while the first request is under way, 422 if the key was used with another input */
export async function claimKey(call: Call): Promise<void> {
  if (!call.key || !isTransaction(call.db)) return
  const kept = await claim(call.db, call.key, call.at)
  if (kept === undefined) return
  call.answer = JSON.parse(kept) as Answered // written by keepAnswer
  call.replayed = true
}

export async function keepAnswer({ key, answer, operation, db }: Call): Promise<void> {
  if (key && answer && isTransaction(db)) await keep(db, key, withoutSecrets(answer, operation.secrets))
}

function withoutSecrets(answer: Answered, secrets: readonly string[]): Answered {
  if (secrets.length === 0 || typeof answer.data !== 'object' || answer.data === null) return answer
  const fields = Object.entries(redacted({ ...answer.data }, secrets)).map(([name, value]) => [name, value === '[secret]' ? null : value])
  return { ...answer, data: Object.fromEntries(fields) }
}
