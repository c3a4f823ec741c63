/**
 * Every form that is drawn has a key, by which it is carried out once: a second click, a reload and a repeated request are
 * answered as the first was. The key counts together with what was typed: other fields are another submission.
 */
import type { App } from '../../runtime/app.ts'
import { secretBox } from '../../runtime/settings/secret-box.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'

/** Name of the hidden field. */
export const keyField = '_key'

/**
 * A new key; it is random, so nobody guesses that of another browser.
 * @param accountId who the form is drawn for, which it says sealed: a form that is sent without a session is kept for them
 */
export async function newKey(app: App, accountId?: string): Promise<string> {
  const key = randomKey(app)
  return accountId === undefined ? key : `${key}.${await app.use(secretBox).seal(app.store.read, accountId, drawnWith(key))}`
}

/** Who a form was drawn for; undefined for nobody, and where the key is not ours. */
export async function accountIn(app: App, typed: URLSearchParams): Promise<string | undefined> {
  const [, key = '', sealed = ''] = /^([\w-]{22})\.([\w-]{1,20}\.[\w-]{1,300})$/.exec(typed.get(keyField) ?? '') ?? []
  return (key && (await app.use(secretBox).unseal(app.store.read, sealed, drawnWith(key)))) || undefined
}

const randomKey = (app: App): string => app.random(16).toString('base64url')
const drawnWith = (key: string): string => `form ${key}`

/**
 * A page with the key in each of its forms: those that areas draw, too. Only what is sent to us as fields has one, and
 * text of others has no part in it, as `>` and `"` are escaped there.
 */
export const withKey = (html: string, key: string): string =>
  html.replace(ownForms, form => `${form}<input type="hidden" name="${keyField}" value="${key}"/>`)

const ownForms = /<form (?=[^>]*\bmethod="post")(?=[^>]*\baction="\/)(?![^>]*\benctype=)[^>]*>/g

/** Whether a page has a form that wants a key. */
export const hasForms = (html: string): boolean => html.search(ownForms) >= 0

interface SubmissionKey {
  readonly operation: NamedOperation
  readonly path: Readonly<Record<string, string>>
  readonly typed: URLSearchParams
}

/**
 * The `Idempotency-Key` of a submission, and the name of its answer in the address that follows.
 * @param path parameters of the path, as the same form may stand in several rows
 */
export async function submissionKey(app: App, { operation, path, typed }: SubmissionKey): Promise<string> {
  const [given = ''] = (typed.get(keyField) ?? '').split('.')
  const drawn = isKey(given) ? given : randomKey(app)
  const fields = [...typed].filter(([name]) => name !== keyField)
  // A password could be guessed from a plain hash, and the address stands in logs and histories.
  const digest = await app.use(secretBox).digest(app.store.read, JSON.stringify([operation.id, Object.entries(path).sort(), fields]))
  return `${drawn}-${digest.slice(0, 22)}`
}

const isKey = (text: string): boolean => /^[\w-]{22}$/.test(text)
/** Whether a text may be the name of an answer. */
export const isSubmission = (text: string): boolean => /^[\w-]{45}$/.test(text)
