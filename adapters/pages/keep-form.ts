/** Keeps the typed fields of a form that has to wait for a sign-in, only for the account that the form was drawn for. */
import type { Refusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import { isOwnOrigin } from '../../runtime/call/authenticate.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { formKept, keepForm, type KeptForm } from '../../runtime/call/kept-forms.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { headerOf } from '../http/web.ts'
import type { PageAsk } from './call-operation.ts'
import { accountIn, keyField } from './form-keys.ts'

/** Whether the user may continue with the form after a sign-in. */
export const waits = ({ status, body: { error } }: Refusal): boolean => status === 401 || error.code === 'reauthentication_required'

/** The parameter of an address that shows a kept form again. */
export const keptParameter = 'kept'

interface Keep {
  readonly operation: NamedOperation
  readonly c: PageAsk
  readonly typed: URLSearchParams
  readonly caller: Caller | undefined
}

/**
 * @returns the parameter of the address that shows the form again; empty if it was not sent from a page of ours, was drawn
 * without an account or for another account, or is too long
 */
export async function keep(app: App, { operation, c, typed, caller }: Keep): Promise<Readonly<Record<string, string>>> {
  if (!isOwnOrigin(app.config.BASE_URL, { header: name => headerOf(c, name) })) return {}
  const accountId = await accountIn(app, typed)
  if (accountId === undefined || (caller?.member && caller.member.accountId !== accountId)) return {}
  const fields = [...typed].filter(([name]) => name !== keyField && !isSecret(operation, name))
  const form = { operation: operation.id, path: c.req.param(), typed: new URLSearchParams(fields).toString() }
  const id = await keepForm(app, accountId, form)
  return id === undefined ? {} : { [keptParameter]: id }
}

/** Whether a control holds a secret or a part of one: `/password`, `password`, `/destination/key`. */
const isSecret = ({ secrets }: NamedOperation, name: string): boolean => secrets.includes(name.replace(/^\//, '').split('/')[0] ?? '')

export interface Kept extends KeptForm {
  readonly fields: URLSearchParams
}

/** Returns the form that an address names, if it was kept for the signed-in account. */
export async function keptAt(app: App, { searchParams }: URL, caller: Caller | undefined): Promise<Kept | undefined> {
  const id = searchParams.get(keptParameter)
  if (id === null || !caller?.member) return undefined
  const kept = await formKept(app, id, caller.member.accountId)
  return kept && { ...kept, fields: new URLSearchParams(kept.typed) }
}
