/**
 * Shares work between the reads of one request, such as those that make one page: they authenticate once and find each
 * subject once. The checks of permission, tenant, rate and input still run for each read.
 */
import type { Authenticator } from '../table/authenticator.ts'
import type { Caller } from '../table/caller.ts'
import type { Subject } from '../table/subject.ts'

export interface Together {
  /** Set by the first read. */
  authenticated: { readonly authenticator: Authenticator; readonly row: unknown; readonly caller: Caller } | undefined
  /** By the name of the subject and the id. A promise, because the reads also run concurrently. */
  readonly subjects: Map<string, ReturnType<Subject['find']>>
}

/** For the reads of one request. Writes do not share: they must see the current rows. */
export const together = (): Together => ({ authenticated: undefined, subjects: new Map() })
