/**
 * `Idempotency-Key`: a repeated POST or PATCH returns the first answer without running again. The key is stored in the
 * transaction of the effect, so neither exists without the other (draft-ietf-httpapi-idempotency-key-header).
 */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../storage/store.ts'
import type { IdempotencyRow } from '../../storage/tables/runtime.ts'
import { fail } from '../table/errors.ts'
import { idempotencyHours } from '../table/expiring.ts'
import { canonical } from '../values/json.ts'
import { HOUR_MS } from '../../storage/values/durations.ts'
import { m } from './messages.ts'

/** Operations for which programs may send a key: reads and deletes can be repeated without one. A form has a key for every write. */
export const isRepeatable = ({ method }: { readonly method: string }): boolean => method === 'POST' || method === 'PATCH'

/** Replaces the id of the credential for a form that is sent without one: its key is random, and only that browser knows it. */
export const anonymous = 'form'

export interface Repeatable {
  /** Id of the credential, or `anonymous`. */
  readonly token_id: string
  readonly operation: string
  readonly key: string
}
export interface IdempotencyKey extends Repeatable {
  readonly fingerprint: string
  /** Fingerprints that the same request has under older keys of the secret box. */
  readonly former?: readonly string[]
}

/** @throws Failure 422 if the header is not a valid key */
export function idempotencyKey(tokenId: string, operation: string, key: string): Repeatable {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    fail('validation_failed', undefined, {
      details: [
        {
          in: 'header',
          pointer: '/Idempotency-Key',
          code: 'invalid_format',
          message: m.idempotency_key(),
        },
      ],
    })
  }
  return { token_id: tokenId, operation, key }
}

/** @param input validated, and so bounded in size */
export function fingerprinted(repeatable: Repeatable, input: unknown): IdempotencyKey {
  return {
    ...repeatable,
    fingerprint: createHash('sha256').update(canonical(input)).digest('hex'),
  }
}

/** The first answer, as it was stored; undefined if this is the first request, which now owns the key. */
export async function claim(trx: Trx, claimed: IdempotencyKey, now: number): Promise<string | undefined> {
  const { fingerprint, former: _, ...key } = claimed
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('idempotency_keys')
    .values({ ...key, fingerprint, answer: null, created_at: now })
    .onConflict(conflict =>
      conflict
        .columns(['token_id', 'operation', 'key'])
        .doUpdateSet({ fingerprint, answer: null, created_at: now })
        .where('idempotency_keys.created_at', '<', forgottenBefore(now)),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows ? undefined : answerIn(await rowOf(trx, claimed).executeTakeFirstOrThrow(), claimed)
}

/** The stored answer of a committed request with this key. Unlike `claim`, it does not claim the key. */
export async function keptAnswer(db: Db, key: IdempotencyKey, now: number): Promise<string | undefined> {
  const first = await rowOf(db, key).where('created_at', '>=', forgottenBefore(now)).executeTakeFirst()
  return first && answerIn(first, key)
}

/** The answer that was stored under this key at `since` or later, whatever the input was. */
export async function answerSince(db: Db, key: Repeatable, since: number): Promise<string | undefined> {
  const row = await rowOf(db, key).where('created_at', '>=', since).executeTakeFirst()
  return row?.answer ?? undefined
}

const forgottenBefore = (now: number): number => now - idempotencyHours * HOUR_MS

function rowOf(db: Db, { token_id, operation, key }: Repeatable) {
  const rows = db.selectFrom('idempotency_keys').selectAll()
  return rows.where('token_id', '=', token_id).where('operation', '=', operation).where('key', '=', key)
}

/** @throws Failure 409 while the first request runs, 422 if it had another input */
function answerIn(first: Selectable<IdempotencyRow>, { fingerprint, former = [] }: IdempotencyKey): string {
  if (![fingerprint, ...former].includes(first.fingerprint)) fail('idempotency_key_reused')
  return first.answer ?? fail('idempotency_in_progress')
}

/** @param answer JSON, sealed if it contains a secret */
export async function keepAnswer(trx: Trx, key: IdempotencyKey, answer: string): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ answer })
    .where('token_id', '=', key.token_id)
    .where('operation', '=', key.operation)
    .where('key', '=', key.key)
    .execute()
}
