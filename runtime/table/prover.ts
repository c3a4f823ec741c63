/**
 * A change of how an account signs in asks the person who makes it for the current password, in the same request. Otherwise anyone
 * at a browser that was left open, or with a copy of its cookie, could change it (OWASP ASVS 5.0, 6.2.3 and 7.5.1).
 */
import { Type } from '@sinclair/typebox'
import type { Services } from './call-services.ts'
import type { HandlerServices } from './services.ts'
import type { MemberCaller } from './caller.ts'
import { optional } from './schema.ts'

/** The input of operations that declare `proof`. */
export const proofInput = {
  current_password: optional(
    Type.String({
      maxLength: 200,
      description:
        'The current password of the account. Required if the account has one, unless this session began with a passkey in the ' +
        'last ten minutes.',
    }),
  ),
}

export type Proving = Pick<Services, 'store' | 'config' | 'now' | 'request' | 'random' | 'log'>

/** The area that stores passwords declares how the callers of one authenticator prove themselves. */
export interface Prover {
  /** Name of the authenticator. */
  readonly of: string
  /** Whether this caller has to send the current password. */
  asks(app: Pick<HandlerServices, 'store'>, caller: MemberCaller, now: number): Promise<boolean>
  /** @throws Failure `validation_failed`, `reauthentication_required`, `rate_limited` */
  prove(services: Proving, proof: Proof): Promise<void>
}

interface Proof {
  readonly caller: MemberCaller
  /** The password as it was sent. */
  readonly typed: string | undefined
  /** Id of the operation that asks for it. */
  readonly operation: string
}

export function prover(declared: Prover): Prover {
  return Object.freeze(declared)
}
