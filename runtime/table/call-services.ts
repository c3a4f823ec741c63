/** The services that each call of an operation receives. The runtime implements them (`call/run.ts`). */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { Db, Store } from '../../storage/store.ts'
import type { Emit } from '../events/event.ts'
import type { Log } from '../observability/log.ts'
import type { Config } from '../settings/config.ts'
import type { Resource } from '../settings/resource.ts'
import type { IdKind } from '../values/ids.ts'
import type { Method } from './access.ts'
import type { Bytes } from './answer-kinds.ts'
import type { Failure } from './errors.ts'

/** An operation that another one may mention. */
export interface OfferedOperation {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly summary: string
}

/** A read of all lists at once. */
export interface Listing {
  readonly workspaceId: string
  /** Sites whose own lists are read as well. */
  readonly siteIds: readonly string[]
  /** Null for all kinds. */
  readonly kinds: ReadonlySet<string> | null
  /** The text to search for, in lists that can be searched. */
  readonly search: string
}

export interface ListedRecord {
  /** `goal`, `alert` … */
  readonly kind: string
  readonly id: string
  /** Its names, the clearest first. */
  readonly names: readonly string[]
  readonly siteId: string | null
  /** The path of the operation that answers it. */
  readonly path: string
  /** ISO 8601; empty if the record has no such field. */
  readonly createdAt: string
}

/** A read that an operation makes as its caller. */
export interface Reading {
  /** Id of the operation. */
  readonly operation: string
  /** Path and query, as one flat object. */
  readonly input: Readonly<Record<string, unknown>>
  /** Whether names may replace ids, and arguments are converted, as over MCP. */
  readonly completes?: boolean
}

/** The parts of a read's declaration that describe it to a model or a person. */
export interface ReadDeclaration {
  readonly summary: string
  readonly description: string | undefined
  readonly pathInput: Readonly<Record<string, TSchema>>
  readonly input: TObject
}

/** The answer of a read, or its failure. */
export type ReadAnswer = {
  /** The input after conversion and completion. */
  readonly input: Readonly<Record<string, unknown>>
} & (
  | { readonly data: unknown; readonly meta: Readonly<Record<string, unknown>>; readonly failure?: undefined }
  | { readonly failure: Failure }
)

/** Passed to every call. Time, ids and randomness come from here, so that tests can set them. */
export interface Services {
  /** In a write, its transaction, which includes the audit entry. Otherwise reads committed data. */
  readonly db: Db
  readonly store: Store
  readonly now: number
  readonly config: Config
  readonly log: Log
  readonly request: {
    readonly id: string
    readonly ip: string
    readonly surface: string
    /** A header by its lower-case name; undefined on surfaces without headers. */
    header(name: string): string | undefined
  }
  /** The bytes of an upload, which can be read once; empty if the operation accepts none. */
  readonly body: Bytes
  readonly emit: Emit
  newId(kind: IdKind): string
  random(size: number): Buffer
  use<T>(resource: Resource<T>): T
  /** The operations that the caller may call, of all areas. */
  operations(): readonly OfferedOperation[]
  /** Records of all areas that the caller may list. */
  listed(listing: Listing): Promise<readonly ListedRecord[]>
  /** The kinds of these records. */
  listedKinds(): readonly string[]
  /** Runs a read for the caller, with all its checks. */
  read(reading: Reading): Promise<ReadAnswer>
  /** A read of the table by its id, with the schemas of its input. */
  declarationOf(id: string): ReadDeclaration | undefined
  /** Adds a line of `Set-Cookie` (`cookieFor`), sent if the call succeeds. */
  setCookie(line: string): void
  /** Adds fields to the audit entry of a write, in addition to its input. They must not contain a secret. */
  note(fields: Readonly<Record<string, unknown>>): void
}
