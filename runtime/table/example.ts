/** Records that an area adds to the example world, which examples name as `{{alert}}`. For tests only. */
import type { Db } from '../../storage/store.ts'
import type { IdKind } from '../values/ids.ts'
import type { Resource } from '../settings/resource.ts'

export interface ExampleWorld {
  readonly db: Db
  readonly now: number
  /** A domain unique to this world, for values that must be unique. It replaces `example.com` in examples. */
  readonly domain: string
  /** Id of a record of this world. @throws Error if no earlier area created it */
  id(name: string): string
  newId(kind: IdKind): string
  random(size: number): Buffer
  use<T>(resource: Resource<T>): T
  /** Registers a token for operations that need a credential other than an API token. */
  shows(credential: { readonly name: string }, token: string): void
}

/** Creates a record for each name in the examples of the area. @returns ids by name */
export type ExampleRecords = (world: ExampleWorld) => Promise<Readonly<Record<string, string>>>

export function exampleRecords(make: ExampleRecords): ExampleRecords {
  return make
}
