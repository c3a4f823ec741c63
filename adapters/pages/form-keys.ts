/**
 * Gives every drawn form a key, by which it is carried out only once. A second click, a reload and a repeated request get the
 * answer of the first. The key counts together with the typed fields: other fields are another submission.
 */
import type { App } from '../../runtime/app.ts'
import { secretBox } from '../../runtime/settings/secret-box.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'

/** Name of the hidden field. */
export const keyField = '_key'

/**
 * Creates a key. It is random, so that another browser cannot guess it.
 * @param accountId account that the form is drawn for. The key contains it sealed: a form that is sent without a session is kept for it
 * @param kept id of a kept form that the page shows again: its key, so that the form is carried out once, however often it is shown
 */
export async function newKey(app: App, accountId?: string, kept?: string | null): Promise<string> {
  const key = accountId !== undefined && kept && isKey(kept) ? kept : randomKey(app)
  return accountId === undefined ? key : `${key}.${await app.use(secretBox).seal(app.store.read, accountId, drawnWith(key))}`
}

/** Returns the account that a form was drawn for; undefined without an account, or if the key is not ours. */
export async function accountIn(app: App, typed: URLSearchParams): Promise<string | undefined> {
  const [, key = '', sealed = ''] = /^([\w-]{22})\.([\w-]{1,20}\.[\w-]{1,300})$/.exec(typed.get(keyField) ?? '') ?? []
  return (key && (await app.use(secretBox).unseal(app.store.read, sealed, drawnWith(key)))) || undefined
}

const randomKey = (app: App): string => app.random(16).toString('base64url')
const drawnWith = (key: string): string => `form ${key}`

/**
 * Adds the key to each form of a page, including the forms that areas draw. Only forms that are sent to us as fields get
 * one. User text cannot imitate a form, because `>` and `"` are escaped in it.
 */
export const withKey = (html: string, key: string): string =>
  html.replace(ownForms, form => `${form}<input type="hidden" name="${keyField}" value="${key}"/>`)

const ownForms = /<form (?=[^>]*\bmethod="post")(?=[^>]*\baction="\/)(?![^>]*\benctype=)[^>]*>/g

/** Whether a page has a form that needs a key. */
export const hasForms = (html: string): boolean => html.search(ownForms) >= 0

interface SubmissionKey {
  readonly operation: NamedOperation
  readonly path: Readonly<Record<string, string>>
  readonly typed: URLSearchParams
}

/**
 * The `Idempotency-Key` of a submission, and the name of its answer in the address that follows.
 * @param path parameters of the path, because several rows may have the same form
 */
export async function submissionKey(app: App, { operation, path, typed }: SubmissionKey): Promise<string> {
  const [given = ''] = (typed.get(keyField) ?? '').split('.')
  const drawn = isKey(given) ? given : randomKey(app)
  const fields = [...typed].filter(([name]) => name !== keyField)
  // A password could be guessed from a plain hash, and logs and histories contain the address.
  const digest = await app.use(secretBox).digest(app.store.read, JSON.stringify([operation.id, Object.entries(path).sort(), fields]))
  return `${drawn}-${digest.slice(0, 22)}`
}

const isKey = (text: string): boolean => /^[\w-]{22}$/.test(text)
/** Whether a text may be the name of an answer. */
export const isSubmission = (text: string): boolean => /^[\w-]{45}$/.test(text)
