/**
 * The two steps of `Idempotency-Key`: claim the key before the operation runs, and store its answer after. An answer
 * with a secret is stored sealed: a client that lost it receives the same bytes again, and no copy of the database shows it.
 */
import { type Db, isTransaction } from '../../storage/store.ts'
import { asOfNow } from '../../storage/snapshots/snapshots.ts'
import { fail } from '../table/errors.ts'
import { keepMessages, restoreMessages } from '../texts/message.ts'
import type { AnswerToForm, Place } from '../table/answer.ts'
import { answerSince, claim, type IdempotencyKey, keepAnswer as keep, keptAnswer, type Repeatable } from './idempotency-keys.ts'
import { secretBox } from '../settings/secret-box.ts'
import type { Answered, Call, Core } from './call.ts'
import { m } from './messages.ts'

/** @throws Failure 409 while the first request runs, 422 if the key was used with another input */
export async function claimKey(call: Call): Promise<void> {
  if (!call.key || !isTransaction(call.db)) return
  const key = await guarded(call, call.key)
  await replay(call, key, await claim(call.db, key, call.at))
}

/** Finds the answer of an earlier request before `prepare`, so that its work is not done twice. @throws Failure as `claimKey` */
export async function findAnswer(call: Call): Promise<void> {
  if (!call.key) return
  const key = await guarded(call, call.key)
  await replay(call, key, await keptAnswer(call.db, key, call.at))
}

/** Replaces the fingerprint by a keyed one, because a password in the input could be guessed from a plain hash. */
async function guarded({ core, operation, db }: Call, key: IdempotencyKey): Promise<IdempotencyKey> {
  if (operation.secrets.length === 0) return key
  const [fingerprint = '', ...former] = await core.use(secretBox).digests(db, key.fingerprint)
  return { ...key, fingerprint, former }
}

async function replay(call: Call, key: IdempotencyKey, kept: string | undefined): Promise<void> {
  if (kept === undefined) return
  const {
    cookies = [],
    place: _,
    ...answer
  } = (await opened(call.core, { db: call.db, key, kept })) ?? fail('invalid_state', m.answer_is_gone())
  call.answer = answer
  call.cookies.push(...cookies)
  call.replayed = true
  call.headers['Idempotency-Replayed'] = 'true'
}

/** A stored answer: a form that is sent again sets the same cookies again, and leads to the same place. */
type Kept = Answered & { readonly cookies?: readonly string[]; readonly place?: Place }

/** Null if the key that sealed it is gone. */
async function opened(core: Core, { db, key, kept }: { db: Db; key: Repeatable; kept: string }): Promise<Kept | null> {
  const text = kept.startsWith('{') ? kept : await core.use(secretBox).unseal(db, kept, nameOf(key))
  return text === null ? null : (JSON.parse(text, restoreMessages) as Kept) // written by keepAnswer
}

export async function keepAnswer({ core, key, answer, cookies, place, operation, db, request: { isForm } }: Call): Promise<void> {
  if (!key || !answer || !isTransaction(db)) return
  const text = JSON.stringify({ ...answer, ...(cookies.length > 0 && { cookies }), ...(isForm && { place }) } satisfies Kept, keepMessages)
  const isSecret = operation.secrets.length > 0 || cookies.length > 0
  await keep(db, key, isSecret ? await core.use(secretBox).seal(db, text, nameOf(key)) : text)
}

/** Time for which the session that sent a form may see its answer again, ms. */
export const shownMs = 10 * 60_000

/** The recent answer to a form; undefined for the key of another credential. */
export async function answerToForm(core: Core, key: Repeatable): Promise<AnswerToForm | undefined> {
  const db = asOfNow(core.store.read)
  const kept = await answerSince(db, key, core.now() - shownMs)
  const { cookies: _, ...answer } = (kept === undefined ? null : await opened(core, { db, key, kept })) ?? {}
  return 'data' in answer ? answer : undefined
}

/** The context that a sealed answer is bound to. */
export const nameOf = ({ token_id, operation, key }: Repeatable): string => `${token_id} ${operation} ${key}`
