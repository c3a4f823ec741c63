/**
 * Keeps the contents of a form that was refused because the session had ended or the change needs a recent sign-in. They are
 * stored encrypted for an hour, for the account that the form was drawn for. After the sign-in the form is shown again, for
 * the person to send it. It is never sent automatically, because a page of another site may have sent it.
 */
import type { Db } from '../../storage/store.ts'
import type { HandlerServices } from '../table/services.ts'
import { secretBox } from '../settings/secret-box.ts'
import { m } from './messages.ts'
import { HOUR_MS } from '../../storage/values/durations.ts'

/** Most characters of a form that is kept. */
export const maxKept = 64 * 1024
/** Most forms of one account at a time. */
const maxForms = 20
const keptMs = HOUR_MS

export interface KeptForm {
  readonly operation: string
  /** Parameters of the path that it was sent to. */
  readonly path: Readonly<Record<string, string>>
  /** Its fields, as a browser sends them, without secrets. */
  readonly typed: string
}

export const keptTexts = {
  again: m.what_you_typed_is_here_again,
}

type Keeping = Pick<HandlerServices, 'store' | 'use' | 'now' | 'random'>

/** @returns its id; undefined if the form is too long or the account has too many */
export async function keepForm({ store, use, now, random }: Keeping, accountId: string, form: KeptForm): Promise<string | undefined> {
  if (form.typed.length > maxKept) return undefined
  const id = random(16).toString('base64url')
  const kept = await rowsOf(store.read, accountId, now()).execute()
  if (kept.length >= maxForms) return undefined
  const sealed = await use(secretBox).seal(store.read, JSON.stringify(form), about(id, accountId))
  await store.write.insertInto('kept_forms').values({ id, account_id: accountId, sealed, created_at: now() }).execute()
  return id
}

/** The form with this id; undefined if it has expired or belongs to another account. */
export async function formKept({ store, use, now }: Keeping, id: string, accountId: string): Promise<KeptForm | undefined> {
  if (!/^[\w-]{22}$/.test(id)) return undefined
  const row = await rowsOf(store.read, accountId, now()).where('id', '=', id).executeTakeFirst()
  const text = row && (await use(secretBox).unseal(store.read, row.sealed, about(id, accountId)))
  return text ? (JSON.parse(text) as KeptForm) : undefined // written by keepForm
}

/** Deletes the forms of an account when the holder of its address takes it over: an earlier user typed them. */
export async function endForms(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('kept_forms').where('account_id', '=', accountId).execute()
}

const rowsOf = (db: Db, accountId: string, now: number) =>
  db
    .selectFrom('kept_forms')
    .select(['id', 'sealed'])
    .where('account_id', '=', accountId)
    .where('created_at', '>', now - keptMs)

const about = (id: string, accountId: string): string => `${id} ${accountId}`
