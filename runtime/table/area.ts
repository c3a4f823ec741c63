/** An area is a folder that declares everything of its own; the table is built from areas and names none of them. */
import type { Tables } from '../../storage/tables/index.ts'
import type { Authenticator } from './authenticator.ts'
import type { Check } from './check.ts'
import type { Endpoint } from './endpoint.ts'
import type { EventKind } from '../events/event.ts'
import type { ExampleRecords } from './example.ts'
import type { Faces } from './face.ts'
import type { Expiring } from './expiring.ts'
import type { IdKind } from '../values/ids.ts'
import type { Gauges } from './gauges.ts'
import type { Meter } from '../observability/metrics.ts'
import type { Operation } from './operation.ts'
import type { Prompt } from './prompt.ts'
import type { Prover } from './prover.ts'
import type { Page } from './page.ts'
import type { SealedColumn } from '../settings/sealed-columns.ts'
import type { Setting } from '../settings/setting.ts'
import type { Subscriber } from '../events/subscriber.ts'
import type { Task } from './task.ts'

/** The exports of one module (`import * as operations from './operations.ts'`), or of several. */
export type Exports<T> = Readonly<Record<string, T>> | readonly Readonly<Record<string, T>>[]

export interface Area {
  /** Heading in the API's documentation: `Alerts`. */
  readonly name: string
  readonly description: string
  /** Path of the page of the manual about it, which its pages link to: `/documentation/alerts#kinds`. */
  readonly manual?: string
  /** The area whose name heads its operations in the documentation and in the list of toolsets; default: its own. */
  readonly section?: string
  /** By operation id, which is the export's name. */
  readonly operations?: Exports<Operation>
  /** Ids of the operations for common questions about visitors: the toolset `everyday` of MCP. */
  readonly everyday?: readonly string[]
  /** Phrases that people use for an operation, by its id, separated by commas. `tools_search` matches them. */
  readonly asked?: Readonly<Record<string, string>>
  /** Prompts that a person can start an agent with, by name. */
  readonly prompts?: Exports<Prompt>
  /** Ids of lists whose records are also resources (MCP). */
  readonly readable?: readonly string[]
  readonly events?: Exports<EventKind>
  readonly tasks?: Exports<Task>
  readonly endpoints?: Exports<Endpoint>
  /** Pages beyond those that its operations have by themselves. */
  readonly pages?: Exports<Page>
  /** Views, forms and filled slots: `() => import('./pages.tsx')`. They are loaded with the first page. */
  readonly views?: () => Promise<Faces>
  /** Checks of the things that it needs besides the database. The start and `/readyz` run them. */
  readonly checks?: Exports<Check>
  /** Its reactions to changes in other areas. */
  readonly subscribers?: Exports<Subscriber>
  /** Further kinds of callers: how they send their credentials, and how a credential becomes a caller. */
  readonly authenticators?: Exports<Authenticator>
  /** How callers prove themselves again before a change of how they sign in. */
  readonly provers?: Exports<Prover>
  /** Kinds of ids, by the name that examples use: `{ alert: alertId }` for `{{alert}}`. */
  readonly ids?: Exports<IdKind>
  /** By environment variable. */
  readonly settings?: Exports<Setting>
  /** By name in `/metrics`. */
  readonly meters?: Exports<Meter>
  /** Values in `/metrics` that are computed on request. */
  readonly gauges?: Exports<Gauges>
  /** Tables that only this area writes. */
  readonly tables?: readonly (keyof Tables & string)[]
  /** Rows of these tables that are deleted after a time. */
  readonly expiring?: readonly Expiring[]
  /** Columns of these tables with values that the secret box sealed; a column may also hold JSON, empty texts and null. */
  readonly sealed?: readonly SealedColumn[]
  /** Adds records to the example world of the tests. */
  readonly example?: () => Promise<{ readonly example: ExampleRecords }>
}

/**
 * Declares an area. Add it to `operations/index.ts`.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 * import { operation } from './operation.ts'
 * import { defineTable } from './table.ts'
 *
 * const clocks_get = operation({
 *   route: 'GET /clock',
 *   summary: 'Get the time of the server',
 *   access: 'public',
 *   effect: 'read',
 *   input: {},
 *   output: Type.Object({ now: Type.Integer({ description: 'Milliseconds since 1970.' }) }),
 *   examples: [{ input: {} }],
 *   run: ({ now }) => ({ now }),
 * })
 * const clocks = area({ name: 'Clocks', description: 'The time of the server.', operations: { clocks_get } })
 * assert.equal(defineTable([clocks]).operations.get('clocks_get')?.area, 'Clocks')
 */
export function area(declared: Area): Area {
  return Object.freeze(declared)
}
