/** The state of one call. Each field names the step that sets it. */
import type { Db, Store } from '../../storage/store.ts'
import type { Place } from '../table/answer.ts'
import type { AuthenticationGuard } from './authentication-guard.ts'
import type { Authenticator, Request } from '../table/authenticator.ts'
import type { Caller } from '../table/caller.ts'
import type { Config } from '../settings/config.ts'
import type { Emit } from '../events/event.ts'
import type { IdempotencyKey } from './idempotency-keys.ts'
import type { Bytes } from '../table/answer-kinds.ts'
import type { Log } from '../observability/log.ts'
import type { ListedRecord, Listing, ReadAnswer, Reading } from '../table/call-services.ts'
import type { Access, Effect, RateName } from '../table/access.ts'
import type { RateCounter, RateLimit } from './rate.ts'
import type { Resource } from '../settings/resource.ts'
import type { SharedCounts } from './shared-counts.ts'
import type { NamedOperation, Table } from '../table/table.ts'
import type { Precondition } from '../table/record-versions.ts'
import type { Together } from './shared-reads.ts'
import type { UseNotes } from './last-used.ts'

/** Shared by all calls. */
export interface Core {
  readonly store: Store
  readonly config: Config
  readonly table: Table
  readonly log: Log
  readonly rates: RateCounter
  readonly shared: SharedCounts
  readonly limits: Readonly<Record<Exclude<RateName, 'none'>, RateLimit>>
  readonly guard: AuthenticationGuard
  readonly uses: UseNotes
  /** Idempotency keys whose first request runs in this process. */
  readonly inFlight: Map<string, Promise<void>>
  /** @param at the event's time */
  emitIn(db: Db, at: number): Emit
  /** Records of all areas that the caller of a call may list. */
  listed(call: Call, listing: Listing): Promise<readonly ListedRecord[]>
  readonly listedKinds: readonly string[]
  /** A read within a call, as its caller. */
  read(call: Call, reading: Reading): Promise<ReadAnswer>
  use<T>(resource: Resource<T>): T
  now(): number
  random(size: number): Buffer
}

/** The input as it was received. */
export type Given = Readonly<Record<string, unknown>>

/** Fields of an answer to keep, and of each the fields to keep; null: all of it. */
export type Chosen = ReadonlyMap<string, Chosen | null>

/** A call as an adapter passes it on: converted, but not validated. */
export interface CallRequest extends Request {
  readonly operation: NamedOperation
  readonly id: string
  readonly idempotencyKey?: string | undefined
  /** For a write: the condition that the locked record must meet. */
  readonly precondition?: Precondition | undefined
  /** The form of a page. Its key makes every write repeatable; when it is sent twice, the second request waits for the first. */
  readonly isForm?: true
  /** Path parameters; over MCP they may be missing or of any type. */
  readonly path: Readonly<Record<string, unknown>>
  /**
   * Whether an id may be omitted if there is only one record, and a name may replace an id: for people and models. `at domain`:
   * only names, and only if the path has the domain of its site.
   */
  readonly completes?: true | 'at domain'
  /** Reads the rest of the input after authorisation. @throws Failure */
  input(): Given | Promise<Given>
  /** Shared with other reads of the same request. */
  readonly together?: Together | undefined
  /** The body of an upload. */
  readonly body?: Bytes | undefined
}

/** Access and rate limit, declared by operations and endpoints alike. */
export interface EntryRules {
  /** `optional`: anyone; a credential that is sent must be valid, and identifies the caller. */
  readonly access: Access | 'optional'
  readonly credential: Authenticator | undefined
  readonly rate: RateName | undefined
  readonly effect: Effect
  /** Anyone, but only from our own pages, because signing in sets a cookie. */
  readonly ownOrigin?: boolean
}

/** A request before its operation or endpoint is considered. */
export interface Arrival {
  readonly core: Core
  readonly request: Request & { readonly together?: Together | undefined }
  readonly entry: EntryRules
  /** Epoch ms: the time of arrival, from the step `begin` on the `now` of the call. */
  at: number
  /** Reads what was committed before the request, or later. */
  readonly db: Db
  /** Headers of the answer, also if the call fails. */
  readonly headers: Record<string, string>
  /** Lines of `Set-Cookie`, sent if the call succeeds. */
  readonly cookies: string[]
  /** Set by `authenticate`. */
  caller: Caller | undefined
  /** Set by `run`: fields of the audit entry in addition to the input. */
  readonly notes: Record<string, unknown>
  /** The record before a write, for its audit entry. */
  before?: Readonly<Record<string, unknown>> | undefined
  /** Rows by name: of the credential, of the path's subjects, and the results of `prepare`. */
  readonly handed: Record<string, unknown>
}

export interface Call extends Arrival {
  readonly request: CallRequest
  readonly operation: NamedOperation
  /** The path parameters; `completePath` adds omitted ones. */
  path: Readonly<Record<string, unknown>>
  /** Set by `findSubjects`: the parameter whose subject is being looked up. */
  sought: string | undefined
  /** Set by `findSubjects`. */
  place: Place
  /** Set by `readInput`: the input with its defaults, later with the path; and the names of unknown fields. */
  input: Record<string, unknown>
  unknown: readonly string[]
  /** Set by `readInput` and `checkInput`: the fields that a read was asked for, as given and as they are kept. */
  asksFields?: unknown
  fields?: Chosen | undefined
  /** Set by `readInput` if the request has an Idempotency-Key. */
  key: IdempotencyKey | undefined
  /** Reads committed data. In the transaction of a write, that transaction. */
  db: Db
  /** Set by `run`, or by `claimKey` or `findAnswer` if this request was answered before. */
  answer: Answered | undefined
  /** Set with an answer of an earlier request: the operation does not run again. */
  replayed: boolean
}

export interface Answered {
  readonly data: unknown
  readonly meta: Record<string, unknown>
}
