/**
 * The services that handlers of endpoints, pages, checks and tasks receive. They are the lower part of the app: a handler
 * knows nothing of the table that it is declared in, and reaches an operation only by its id.
 */
import type { Db } from '../../storage/store.ts'
import type { Emit } from '../events/event.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Resource, ResourceContext } from '../settings/resource.ts'
import type { Answer } from './answer.ts'
import type { Request } from './authenticator.ts'
import type { Caller } from './caller.ts'

export interface HandlerServices extends ResourceContext {
  readonly metrics: Metrics
  use<T>(resource: Resource<T>): T
  /** Emits in a transaction, like `emit` in operations. @param at the event's time */
  emitIn(trx: Db, at: number): Emit
}

/** A call of an operation with the credential of the request that an endpoint or a page receives. */
export interface OperationRequest extends Pick<Request, 'header' | 'ip'> {
  /** Id of the operation. */
  readonly operation: string
  /** Id of the request. */
  readonly id: string
  /** Parameters of the operation's path. */
  readonly path: Readonly<Record<string, string>>
  input(): Promise<Readonly<Record<string, unknown>>>
}

/** The services of endpoints and pages. */
export interface CallingServices extends HandlerServices {
  /** Calls an operation with all of its checks. @throws Error if there is no operation of this id */
  callOperation(request: OperationRequest): Promise<Answer>
  /** The caller of a token that a format of another product sends elsewhere than in a header. @throws Failure `invalid_token`, `rate_limited` */
  callerWith(token: string, request: Pick<Request, 'header' | 'ip'>): Promise<Caller>
}
