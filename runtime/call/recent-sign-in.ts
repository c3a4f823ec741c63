/** A sensitive change needs a person who has recently signed in: the browser may have been left open. */
import type { Caller } from '../table/caller.ts'
import type { NamedOperation } from '../table/table.ts'

export const freshMs = 10 * 60_000

/** Whether the caller signed in during the last ten minutes. False for credentials that do not begin with a sign-in. */
export const isFresh = (caller: Pick<Caller, 'provedAt'> | null | undefined, at: number): boolean => at - (caller?.provedAt ?? 0) < freshMs

/** Whether the caller has to sign in again before an operation with `fresh`. With `'session'`, tokens need no sign-in. */
export const lacksSignIn = ({ fresh }: Pick<NamedOperation, 'fresh'>, caller: Pick<Caller, 'provedAt'>, at: number): boolean =>
  fresh !== undefined && !(fresh === 'session' && caller.provedAt === undefined) && !isFresh(caller, at)
