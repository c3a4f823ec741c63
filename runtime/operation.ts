/** What an operation is: one declaration that every surface is projected from. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Db, Store } from '../storage/store.ts'
import type { Caller } from './caller.ts'
import type { Config } from './config.ts'
import type { Credential } from './credential.ts'
import type { Emit } from './event.ts'
import type { IdKind } from './ids.ts'
import type { Log } from './log.ts'
import type { Permission } from './permissions.ts'
import type { Resource } from './resource.ts'
import { Id } from './schema.ts'
import type { Subject } from './subject.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`
export type Surface = 'http' | 'mcp'
/** What the call does to the world: decides the status, the transaction, the audit entry and MCP's hints. */
export type Effect = 'read' | 'create' | 'update' | 'delete'
/**
 * Who may: a permission; `member` any token of the workspace; `account` any valid token, for writes one without
 * `site_ids`; `public` anybody.
 */
export type Access = Permission | 'member' | 'account' | 'public'

/** What every call is handed. Time, ids and chance come from here, so that tests can set them. */
export interface Services {
  /** Inside a write: its transaction, which also holds the audit entry. Otherwise what is committed. */
  readonly db: Db
  readonly store: Store
  readonly now: number
  readonly config: Config
  readonly log: Log
  readonly request: { readonly id: string; readonly ip: string; readonly surface: Surface }
  readonly emit: Emit
  newId(kind: IdKind): string
  random(size: number): Buffer
  use<T>(resource: Resource<T>): T
}

type PathParams<R extends string> = R extends `${string}{${infer P}}${infer Rest}` ? P | PathParams<Rest> : never
type AnySubject = Subject<string, any> // rows differ; `Handed` reads each one's own type
type Handed<S extends AnySubject> = { readonly [K in S as K['name']]: K extends Subject<string, infer Row> ? Row : never }
type AnyCredential = Credential<string, any>
type Shown<C extends AnyCredential> = { readonly [K in C as K['name']]: K extends Credential<string, infer Row> ? Row : never }
type Calling<A extends Access> = A extends 'public' ? object : { readonly caller: Caller }
export type Input<R extends string, I extends TProperties> = Static<TObject<I>> & { readonly [K in PathParams<R>]: string }
type Call<R extends string, A extends Access, S extends AnySubject, I extends TProperties, C extends AnyCredential> =
  Services & Handed<S> & Calling<A> & Shown<C> & { readonly input: Input<R, I> }

export interface Example {
  /** Says what it shows, where the summary does not. */
  readonly summary?: string
  /** Ids in it may name what the example world holds: `{{site}}`, `{{alert}}` (see tests/support/world.ts). */
  readonly input: Readonly<Record<string, unknown>>
}

interface Declared<R extends Route, A extends Access, S extends AnySubject, I extends TProperties, C extends AnyCredential> {
  readonly route: R
  readonly summary: string
  readonly description?: string
  readonly access: A
  /** The token that an operation asks for which is public to API tokens; whoever shows it is handed to `run`. */
  readonly as?: C
  /** What the path names, outermost first: each is found and authorised, and its row handed to `run`. */
  readonly on?: S | readonly S[]
  readonly effect: Effect
  readonly input: I
  /** Path parameters that name no subject, with their schema. */
  readonly path?: Readonly<Record<string, TSchema>>
  readonly surfaces?: readonly Surface[]
  /** Counts against the tighter limit of what costs a lot. */
  readonly costly?: true
  /** Answers its data without `{ data, meta }`: for forms that are not ours. HTTP only. */
  readonly bare?: true
  /** Answers its data, a text, alone and as this type instead of JSON: a picture that pages of others embed. */
  readonly media?: 'image/svg+xml'
  /** Fields of input or answer that are secrets: never audited, cached or replayed. */
  readonly secrets?: readonly string[]
  readonly examples: readonly Example[]
}

/** An operation as the runtime and the adapters see it: plain data and one function. */
export interface Operation {
  readonly method: Method
  /** With `{parameters}`, without `.json`. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly access: Access
  readonly as: AnyCredential | undefined
  readonly on: readonly AnySubject[]
  /** The path parameter that names each of them. */
  readonly onParameters: readonly string[]
  readonly effect: Effect
  readonly status: 200 | 201
  /** Path parameters in order, each with its schema. */
  readonly pathInput: Readonly<Record<string, TSchema>>
  /** Everything else: query for GET, JSON body otherwise. */
  readonly input: TObject
  /** Schema of `data`, and of `meta` where the operation has one of its own. */
  readonly output: TSchema
  readonly meta: TObject
  readonly surfaces: readonly Surface[]
  readonly costly: boolean
  readonly bare: boolean
  readonly media: 'image/svg+xml' | undefined
  readonly secrets: readonly string[]
  readonly examples: readonly Example[]
  run(call: never): Promise<{ data: unknown; meta: Record<string, unknown> }>
}

const anyMeta = Type.Object({})

/** An operation that answers one record. */
export function operation<const R extends Route, const A extends Access, I extends TProperties, O extends TSchema, S extends AnySubject = never, C extends AnyCredential = never>(
  declared: Declared<R, A, S, I, C> & { output: O; run(call: Call<R, A, S, I, C>): Promise<Static<O>> },
): Operation {
  return define(declared, declared.output, anyMeta, async (call: Call<R, A, S, I, C>) => ({ data: await declared.run(call), meta: {} }))
}

/** An operation that answers a report: data, and in `meta` what was applied, ignored or approximated. */
export function report<const R extends Route, const A extends Access, I extends TProperties, O extends TSchema, M extends TObject, S extends AnySubject = never, C extends AnyCredential = never>(
  declared: Declared<R, A, S, I, C> & { output: O; meta: M; run(call: Call<R, A, S, I, C>): Promise<{ data: Static<O>; meta: Static<M> }> },
): Operation {
  return define(declared, declared.output, declared.meta, (call: Call<R, A, S, I, C>) => declared.run(call))
}

export const paging = {
  page: Type.Integer({ default: 1, minimum: 1, maximum: 1_000_000, description: 'Page of the list, from 1.' }),
  per_page: Type.Integer({ default: 25, minimum: 1, maximum: 100, description: 'Records on a page.' }),
}
export const pagingMeta = Type.Object({
  page: Type.Integer({ description: 'This page, from 1.' }),
  per_page: Type.Integer({ description: 'Records on a page.' }),
  total: Type.Integer({ description: 'Records in all.' }),
  total_pages: Type.Integer({ description: 'Pages in all; at least 1.' }),
})
/** `meta` of a page of so many records. */
export const pagesOf = ({ page, per_page }: { page: number; per_page: number }, total: number) =>
  ({ page, per_page, total, total_pages: Math.max(1, Math.ceil(total / per_page)) })

export interface Page {
  readonly offset: number
  readonly limit: number
}

/** An operation that answers a list in pages. `run` is handed the page and gives back its rows and the total. */
export function list<const R extends Route, const A extends Access, I extends TProperties, O extends TSchema, S extends AnySubject = never, C extends AnyCredential = never>(
  declared: Declared<R, A, S, I, C> & { of: O; run(call: Call<R, A, S, I, C> & { page: Page }): Promise<{ rows: Static<O>[]; total: number }> },
): Operation {
  const paged = { ...declared, input: { ...declared.input, ...paging } }
  return define(paged, Type.Array(declared.of), pagingMeta, async (call: Call<R, A, S, I, C> & { input: Static<TObject<typeof paging>> }) => {
    const { page, per_page } = call.input
    const { rows, total } = await declared.run({ ...call, page: { offset: (page - 1) * per_page, limit: per_page } })
    return { data: rows, meta: pagesOf({ page, per_page }, total) }
  })
}

function define<C>(
  declared: Declared<Route, Access, AnySubject, TProperties, AnyCredential>,
  output: TSchema,
  meta: TObject,
  run: (call: C) => Promise<{ data: unknown; meta: Record<string, unknown> }>,
): Operation {
  const [method, path] = declared.route.split(' ') as [Method, string]
  const on = declared.on === undefined ? [] : 'name' in declared.on ? [declared.on] : declared.on
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  return Object.freeze({
    method,
    path,
    summary: declared.summary,
    description: declared.description,
    access: declared.access,
    as: declared.as,
    on,
    onParameters: on.map(subject => names.find(name => subjectOf(name, path, on) === subject) ?? ''),
    effect: declared.effect,
    status: declared.effect === 'create' ? 201 : 200,
    pathInput: Object.fromEntries(names.map(name => [name, declared.path?.[name] ?? idSchema(name, path, on)])),
    input: Type.Object(declared.input),
    output,
    meta,
    surfaces: declared.surfaces ?? ['http', 'mcp'],
    costly: declared.costly ?? false,
    bare: declared.bare ?? declared.media !== undefined,
    media: declared.media,
    secrets: declared.secrets ?? [],
    examples: declared.examples,
    run,
  } satisfies Omit<Operation, 'run'> & { run: unknown }) as Operation // `run` is only ever called with what this declaration asks for
}

/** The subject a path parameter names: `{site_id}` the site, `{id}` the innermost one that has no parameter of its own. */
export function subjectOf(parameter: string, path: string, on: readonly AnySubject[]): AnySubject | undefined {
  return on.find(subject => `${subject.name}_id` === parameter)
    ?? (parameter === 'id' ? on.findLast(subject => !path.includes(`{${subject.name}_id}`)) : undefined)
}

function idSchema(parameter: string, path: string, on: readonly AnySubject[]): TSchema {
  const subject = subjectOf(parameter, path, on)
  return Id({ description: subject ? `Id of the ${subject.name.replaceAll('_', ' ')}.` : '' })
}
