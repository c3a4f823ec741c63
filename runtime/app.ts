/** The service without its surfaces: called by adapters, shared by commands and tasks. */
import type { Awaitable } from '../storage/values/awaitable.ts'
import type { Store, Trx } from '../storage/store.ts'
import type { Answer, AnswerToForm, Refusal } from './call/answer.ts'
import type { Request } from './call/authenticator.ts'
import type { Arrival, CallRequest } from './call/call.ts'
import type { Caller } from './call/caller.ts'
import type { Config } from './settings/config.ts'
import type { Endpoint, EndpointAnswer, EndpointRequest } from './table/endpoint.ts'
import type { Emit } from './events/event.ts'
import type { Repeatable } from './call/idempotency-keys.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import type { Outages } from './observability/outages.ts'
import type { Resource } from './table/resource.ts'
import type { NamedOperation, Table } from './table/table.ts'

/** What adapters do with answers that may be there at once. */
export { type Awaitable, after } from '../storage/values/awaitable.ts'
export type { CallRequest }

export interface App {
  readonly table: Table
  readonly config: Config
  readonly log: Log
  readonly store: Store
  /** At once where nothing has to be waited for. */
  call(request: CallRequest): Awaitable<Answer>
  /** Runs an endpoint; thrown errors become error answers. @param surface name that the adapter gives itself */
  serve(endpoint: Endpoint, request: Omit<EndpointRequest, 'caller' | 'countBatch'>, surface: string): Awaitable<EndpointAnswer>
  /** What a form of this key was answered with some minutes ago, for who sent it. */
  answerToForm(key: Repeatable): Promise<AnswerToForm | undefined>
  /**
   * Authenticates a request that is not a single operation, such as a list of tools. @throws Failure as `call` answers
   */
  identify(request: Request): Promise<{ caller: Caller; headers: Readonly<Record<string, string>> }>
  /** Who is signed in and looks at a page: undefined for nobody, and for a session that has ended. @throws Failure `rate_limited` */
  visitor(request: Arrival['request']): Promise<Caller | undefined>
  /** The answer for anything thrown. Logs faults of our own. */
  answerTo(thrown: unknown, requestId: string, where: 'query' | 'body'): Refusal
  /** Whether the caller's permissions allow the operation; used to list tools. */
  allows(caller: Caller, operation: NamedOperation): boolean
  use<T>(resource: Resource<T>): T
  readonly metrics: Metrics
  readonly outages: Outages
  /** Emits in a transaction, like `emit` in operations. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
  /** The listener receives the name of a task when a committed transaction has created work for it. */
  onWake(listener: (task: string) => void): void
  now(): number
  random(size: number): Buffer
  /** True once the service shuts down: it finishes what is under way and should get no new requests. */
  closing(): boolean
  /** Makes `closing()` true. */
  beginClosing(): void
  /** Closes all open resources in reverse order, so that accepted hits are stored first. The store stays open. */
  close(): Promise<void>
}
