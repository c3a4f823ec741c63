/**
 * What somebody typed into a form that was not taken, as their session had ended or the change wants a recent sign-in. It is
 * kept encrypted for an hour, for the account that the form was drawn for, and shown to it after the sign-in to be sent once
 * more. Nothing is carried out by itself: a page of somebody else may have sent it.
 */
import type { Db } from '../../storage/store.ts'
import type { HandlerServices } from '../table/services.ts'
import { secretBox } from '../settings/secret-box.ts'
import { m } from './messages.ts'

/** Characters; longer ones are not kept. */
export const mostKept = 64 * 1024
/** Of one account at a time. */
const mostForms = 20
const keptMs = 3_600_000

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

/** @returns the name by which it is found; undefined where it is too much to be kept */
export async function keepForm({ store, use, now, random }: Keeping, accountId: string, form: KeptForm): Promise<string | undefined> {
  if (form.typed.length > mostKept) return undefined
  const id = random(16).toString('base64url')
  const kept = await rowsOf(store.read, accountId, now()).execute()
  if (kept.length >= mostForms) return undefined
  const sealed = await use(secretBox).seal(store.read, JSON.stringify(form), about(id, accountId))
  await store.write.insertInto('kept_forms').values({ id, account_id: accountId, sealed, created_at: now() }).execute()
  return id
}

/** Undefined for the form of another account, as for one that is gone. */
export async function formKept({ store, use, now }: Keeping, id: string, accountId: string): Promise<KeptForm | undefined> {
  if (!/^[\w-]{22}$/.test(id)) return undefined
  const row = await rowsOf(store.read, accountId, now()).where('id', '=', id).executeTakeFirst()
  const text = row && (await use(secretBox).unseal(store.read, row.sealed, about(id, accountId)))
  return text ? (JSON.parse(text) as KeptForm) : undefined // written by keepForm
}

/** Those of an account that its rightful holder takes over: whoever was in it before typed them. */
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
