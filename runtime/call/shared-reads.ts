/**
 * Reads that are parts of one request: a page shows an answer with what stands around it. They authenticate once, and find
 * each subject once. Everything that decides (permission, tenant, rate, validation) still runs for each of them.
 */
import type { Authenticator } from '../table/authenticator.ts'
import type { Caller } from '../table/caller.ts'
import type { Subject } from '../table/subject.ts'

export interface Together {
  /** By the first of them. */
  authenticated: { readonly authenticator: Authenticator; readonly row: unknown; readonly caller: Caller } | undefined
  /** By the name of the subject and the id; a promise, as they also run side by side. */
  readonly subjects: Map<string, ReturnType<Subject['find']>>
}

/** For the calls of one request; a write takes no part, as it must see what is there now. */
export const together = (): Together => ({ authenticated: undefined, subjects: new Map() })
