/** One call on its way through: what the steps find is kept here, each written by the step that says so. */
import type { Db, Store } from '../../storage/store.ts'
import type { AuthenticationGuard } from '../authentication-guard.ts'
import type { Authenticator, Request } from '../authenticator.ts'
import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import type { Emit } from '../event.ts'
import type { IdempotencyKey } from '../idempotency.ts'
import type { Bytes } from '../kinds.ts'
import type { Log } from '../log.ts'
import type { Access, Effect } from '../operation.ts'
import type { RateCounter, RateLimit, RateName } from '../rate.ts'
import type { Resource } from '../resource.ts'
import type { NamedOperation, Table } from '../table.ts'
import type { UseNotes } from '../use-notes.ts'

/** What all calls share. */
export interface Core {
  readonly store: Store
  readonly config: Config
  readonly table: Table
  readonly log: Log
  readonly rates: RateCounter
  readonly limits: Readonly<Record<Exclude<RateName, 'none'>, RateLimit>>
  readonly guard: AuthenticationGuard
  readonly uses: UseNotes
  /** Idempotency keys whose first request is still under way in this process. */
  readonly inFlight: Set<string>
  /** @param at the event's time */
  emitIn(db: Db, at: number): Emit
  use<T>(resource: Resource<T>): T
  now(): number
  random(size: number): Buffer
}

/** A call as an adapter hands it over: translated, not judged. */
export interface CallRequest extends Request {
  readonly operation: NamedOperation
  readonly id: string
  readonly idempotencyKey?: string | undefined
  /** Path parameters; over MCP they may be missing or of any type. */
  readonly path: Readonly<Record<string, unknown>>
  /** Ids may be left out where there is one, and be the names of things: where a person or a model types them. */
  readonly completes?: true
  /** Reads the rest of the input; asked for only once the caller may do this. May throw a Failure. */
  input(): Promise<Readonly<Record<string, unknown>>>
  /** The bytes of an upload. */
  readonly body?: Bytes | undefined
}

/** Who may come in and how often, as operations and endpoints declare it. */
export interface Door {
  /** `optional`: anyone; a credential that is shown must be good, and says who. */
  readonly access: Access | 'optional'
  readonly credential: Authenticator | undefined
  readonly rate: RateName | undefined
  readonly effect: Effect
}

/** A request that came in, before it is known what of. */
export interface Arrival {
  readonly core: Core
  readonly request: Request
  readonly door: Door
  /** Epoch ms: the call's arrival, then (set by `begin`) its `now`. */
  at: number
  /** Of the answer, whatever becomes of it. */
  readonly headers: Record<string, string>
  /** By `authenticate`. */
  caller: Caller | undefined
  /** Rows by name: of the credential, of what the path names, and what `prepare` made. */
  readonly handed: Record<string, unknown>
}

export interface Call extends Arrival {
  readonly request: CallRequest
  readonly operation: NamedOperation
  /** The path parameters, by `completePath` whole. */
  path: Readonly<Record<string, unknown>>
  /** By `findSubjects`: the parameter whose subject it looks for. */
  sought: string | undefined
  /** By `findSubjects`: where the innermost subject belongs, and its id. */
  place: { workspaceId: string | undefined; siteId: string | null; id: string | null }
  /** By `readInput`: the input with its defaults, later with the path; and names that are not declared. */
  input: Record<string, unknown>
  unknown: readonly string[]
  /** By `readInput`, where the request has an Idempotency-Key. */
  key: IdempotencyKey | undefined
  /** What is committed, or from `begin` on the transaction of a write. */
  db: Db
  /** By `run`, or by `claimKey` where this request was answered before. */
  answer: Answered | undefined
  /** By `claimKey`: the answer is that of an earlier request, and nothing is done again. */
  replayed: boolean
}

export interface Answered {
  readonly data: unknown
  readonly meta: Record<string, unknown>
}
