/** What an area puts into the example world: the records that examples name as `{{alert}}`. For tests alone. */
import type { Db } from '../storage/store.ts'
import type { IdKind } from './ids.ts'
import type { Resource } from './resource.ts'

export interface ExampleWorld {
  readonly db: Db
  readonly now: number
  /** Of its own: names that are unique in the installation are made of it. `example.com` in an example becomes it. */
  readonly domain: string
  /** Id of a record of this world. @throws Error where no area before this one made it */
  id(name: string): string
  newId(kind: IdKind): string
  random(size: number): Buffer
  use<T>(resource: Resource<T>): T
  /** Another token than API tokens, of this credential: operations that ask for it are called with it. */
  shows(credential: { readonly name: string }, token: string): void
}

/** Makes one of everything that the examples of the area's operations name. @returns ids by name */
export type ExampleRecords = (world: ExampleWorld) => Promise<Readonly<Record<string, string>>>

export function exampleRecords(make: ExampleRecords): ExampleRecords {
  return make
}
