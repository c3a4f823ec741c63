/** An area is a folder that brings all of its own; the table is made of areas and names none of them. */
import type { Tables } from '../storage/tables/index.ts'
import type { Authenticator } from './authenticator.ts'
import type { Endpoint } from './endpoint.ts'
import type { EventKind } from './event.ts'
import type { ExampleRecords } from './example.ts'
import type { Expiring } from './expiring.ts'
import type { IdKind } from './ids.ts'
import type { Meter } from './metrics.ts'
import type { Operation } from './operation.ts'
import type { Setting } from './setting.ts'
import type { Subscriber } from './subscriber.ts'
import type { Task } from './task.ts'

/** What a module exports (`import * as operations from './operations.ts'`), or several of them. */
export type Exports<T> = Readonly<Record<string, T>> | readonly Readonly<Record<string, T>>[]

export interface Area {
  /** As in the API's documentation: `Alerts`. */
  readonly name: string
  readonly description: string
  /** The area under whose name its operations stand in the documentation and in the list of toolsets; default: its own. */
  readonly section?: string
  /** By their ids: the export's name is the operation's id. */
  readonly operations?: Exports<Operation>
  /** Ids of those that somebody needs who asks about visitors and sets nothing up: the toolset `everyday` of MCP. */
  readonly everyday?: readonly string[]
  /** What people say who want one of its operations, by its id: phrases with commas between, found by `tools_search`. */
  readonly asked?: Readonly<Record<string, string>>
  readonly events?: Exports<EventKind>
  readonly tasks?: Exports<Task>
  readonly endpoints?: Exports<Endpoint>
  /** What it does when others change something. */
  readonly subscribers?: Exports<Subscriber>
  /** Who may call beside those that other areas bring: how their credentials are shown, and whose they are. */
  readonly authenticators?: Exports<Authenticator>
  /** Kinds of its ids, by the name that examples give them: `{ alert: alertId }` for `{{alert}}`. */
  readonly ids?: Exports<IdKind>
  /** By the name that the environment gives them. */
  readonly settings?: Exports<Setting>
  /** By the name that `/metrics` gives them. */
  readonly meters?: Exports<Meter>
  /** Tables that it alone writes. */
  readonly tables?: readonly (keyof Tables & string)[]
  /** Rows of those that are of no use after a while. */
  readonly expiring?: readonly Expiring[]
  /** What it puts into the example world of the tests. */
  readonly example?: () => Promise<{ readonly example: ExampleRecords }>
}

export function area(declared: Area): Area {
  return Object.freeze(declared)
}
