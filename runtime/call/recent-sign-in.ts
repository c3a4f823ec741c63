/** A sensitive change needs a person who has recently signed in: the browser may have been left open. */
import type { Caller } from '../table/caller.ts'

export const freshMs = 10 * 60_000

/** Whether the caller signed in during the last ten minutes. False for credentials that do not begin with a sign-in. */
export const isFresh = (caller: Pick<Caller, 'provedAt'> | null | undefined, at: number): boolean => at - (caller?.provedAt ?? 0) < freshMs
