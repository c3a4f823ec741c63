/** The service without its surfaces. Adapters call it; commands and tasks use its services. */
import type { Answer, AnswerToForm, Refusal } from './table/answer.ts'
import type { Request } from './table/authenticator.ts'
import type { Arrival, CallRequest } from './call/call.ts'
import type { Caller } from './table/caller.ts'
import type { Endpoint, EndpointAnswer, EndpointRequest } from './table/endpoint.ts'
import type { Repeatable } from './call/idempotency-keys.ts'
import type { CallingServices } from './table/services.ts'
import type { NamedOperation, Table } from './table/table.ts'
import type { TaskServices } from './tasks/task-services.ts'

export type { CallRequest }

export interface App extends CallingServices, TaskServices {
  readonly table: Table
  /** Calls an operation; thrown errors become error answers. */
  call(request: CallRequest): Promise<Answer>
  /** Runs an endpoint; thrown errors become error answers. @param surface name that the adapter gives itself */
  serve(endpoint: Endpoint, request: Omit<EndpointRequest, 'caller' | 'countBatch'>, surface: string): Promise<EndpointAnswer>
  /** The answer that a form with this key received in the last minutes; undefined for any other caller. */
  answerToForm(key: Repeatable): Promise<AnswerToForm | undefined>
  /**
   * Authenticates a request that is not a single operation, such as a list of tools. @throws Failure as `call` answers
   */
  identify(request: Request): Promise<{ caller: Caller; headers: Readonly<Record<string, string>> }>
  /** The caller that is signed in with the browser of a request; undefined without a session, or if it has ended. @throws Failure `rate_limited` */
  visitor(request: Arrival['request']): Promise<Caller | undefined>
  /** The answer for anything thrown. Logs faults of our own. */
  answerTo(thrown: unknown, requestId: string, where: 'query' | 'body'): Refusal
  /** Whether the caller's permissions allow the operation; used to list tools. */
  allows(caller: Caller, operation: NamedOperation): boolean
  /** True once the service shuts down: it finishes running requests and should receive no new ones. */
  closing(): boolean
  /** Makes `closing()` true. */
  beginClosing(): void
  /** Closes all open resources in reverse order, so that accepted hits are stored first. The store stays open. */
  close(): Promise<void>
}
