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

/** An operation as another one may speak of it. */
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
  /** Names that people know it by, the clearest first. */
  readonly names: readonly string[]
  readonly siteId: string | null
  /** The path of the operation that answers it. */
  readonly path: string
  /** ISO 8601; empty where it is not told. */
  readonly createdAt: string
}

/** A read that an operation makes as its caller. */
export interface Reading {
  /** Id of the operation. */
  readonly operation: string
  /** Path and query, as one flat object. */
  readonly input: Readonly<Record<string, unknown>>
  /** Names may stand for ids, and what plainly means a value for the value, as over MCP. */
  readonly completes?: boolean
}

/** A read as it is offered to somebody who has to be told what it takes. */
export interface ReadDeclaration {
  readonly summary: string
  readonly description: string | undefined
  readonly pathInput: Readonly<Record<string, TSchema>>
  readonly input: TObject
}

/** Its answer, or why there is none. */
export type ReadAnswer = {
  /** As it was understood. */
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
    /** A header, by its name in small letters; none over surfaces that have no headers. */
    header(name: string): string | undefined
  }
  /** The bytes of an upload, once; empty where the operation accepts none. */
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
  /** A line of `Set-Cookie` (`cookieFor`), sent where the call succeeds. */
  setCookie(line: string): void
  /** Fields added to the audit entry of a write, beside its input: what is only known here, and never a secret. */
  note(fields: Readonly<Record<string, unknown>>): void
}
