/** What an operation is: one declaration that every surface is projected from. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Db, Store } from '../storage/store.ts'
import type { Authenticator } from './authenticator.ts'
import type { Caller, MemberCaller } from './caller.ts'
import type { Config } from './config.ts'
import type { Emit } from './event.ts'
import type { IdKind } from './ids.ts'
import type { AnswerKind, Bytes, InputKind } from './kinds.ts'
import type { Log } from './log.ts'
import type { Permission, Role } from './permissions.ts'
import type { RateName } from './rate.ts'
import type { Resource } from './resource.ts'
import { brief, Id } from './schema.ts'
import type { Subject } from './subject.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`
/** What the call does to the world: decides the status, the transaction, the audit entry and MCP's hints. */
export type Effect = 'read' | 'create' | 'update' | 'delete'
/**
 * Who may: a permission; `member` any token of the workspace; `account` any valid token, for writes one without
 * `site_ids`; `session` somebody who is signed in; `public` anybody.
 */
export type Access = Permission | 'member' | 'account' | 'session' | 'public'

/** What every call is handed. Time, ids and randomness come from here, so that tests can set them. */
export interface Services {
  /** Inside a write: its transaction, in which the audit entry is written too. Otherwise what is committed. */
  readonly db: Db
  readonly store: Store
  readonly now: number
  readonly config: Config
  readonly log: Log
  readonly request: { readonly id: string; readonly ip: string; readonly surface: string }
  /** The bytes of an upload, once; empty where the operation accepts none. */
  readonly body: Bytes
  readonly emit: Emit
  newId(kind: IdKind): string
  random(size: number): Buffer
  use<T>(resource: Resource<T>): T
}

type PathParams<R extends string> = R extends `${string}{${infer P}}${infer Rest}` ? P | PathParams<Rest> : never
// biome-ignore lint/suspicious/noExplicitAny: rows of all kinds meet here, and `unknown` would not be assignable to each one's own
type AnySubject = Subject<string, any> // rows differ; `Handed` reads each one's own type
type Handed<S extends AnySubject> = { readonly [K in S as K['name']]: K extends Subject<string, infer Row> ? Row : never }
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyAuthenticator = Authenticator<string, any>
type Shown<C extends AnyAuthenticator> = { readonly [K in C as K['name']]: K extends Authenticator<string, infer Row> ? Row : never }
/** Only members write; what reads may be called by a share link too. */
type Calling<A extends Access, E extends Effect> = A extends 'public'
  ? object
  : { readonly caller: A extends 'account' | 'session' ? MemberCaller : E extends 'read' ? Caller : MemberCaller }
export type Input<R extends string, I extends TProperties> = Static<TObject<I>> & { readonly [K in PathParams<R>]: string }
type Call<
  R extends string,
  A extends Access,
  E extends Effect,
  S extends AnySubject,
  I extends TProperties,
  C extends AnyAuthenticator,
> = Services & Handed<S> & Calling<A, E> & Shown<C> & { readonly input: Input<R, I> }

export interface Example {
  /** Says what it shows, where the summary does not. */
  readonly summary?: string
  /** Ids in it may name what is in the example world: `{{site}}`, `{{alert}}` (see tests/support/world.ts). */
  readonly input: Readonly<Record<string, unknown>>
}

/** How far a token that is restricted to sites must reach: the whole workspace, or all of these sites. */
export type Reach = 'workspace' | readonly string[]

/** @typeParam C what `run` is handed, before `prepare` adds to it */
interface Declared<
  R extends Route,
  A extends Access,
  E extends Effect,
  S extends AnySubject,
  I extends TProperties,
  C extends AnyAuthenticator,
  P extends object,
> {
  readonly route: R
  readonly summary: string
  readonly description?: string
  readonly access: A
  /** The credential that an operation asks for which is public to all others; its row is handed to `run`. */
  readonly credential?: C
  /** A role the caller must have beside the permission; a function where that depends on what is changed. */
  readonly role?: Role | ((call: Call<R, A, E, S, I, C>) => Role | undefined)
  /** What a token restricted to sites must reach to call this; a function where that depends on what is named. */
  readonly reach?: 'workspace' | ((call: Call<R, A, E, S, I, C>) => Reach)
  /** Why this caller may not do this with this input, beyond all of the above; undefined where it may. */
  readonly denies?: (call: Call<R, A, E, S, I, C>) => string | undefined
  /** What the path names, outermost first: each is found and authorised, and its row handed to `run`. */
  readonly on?: S | readonly S[]
  readonly effect: E
  /** States of the innermost record in which a page or an agent should offer this: `{ status: ['paused'] }`. */
  readonly offered?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  readonly input: I
  /** How the input comes; default `json`. */
  readonly accepts?: InputKind
  /** Path parameters that name no subject, with their schema. */
  readonly path?: Readonly<Record<string, TSchema>>
  /** Only these surfaces, where not all that carry its kinds. */
  readonly surfaces?: readonly string[]
  /** A tighter limit than what its access brings: `costly`. */
  readonly rate?: RateName
  /** Fields of input or answer that are secrets: never audited, cached or replayed. */
  readonly secrets?: readonly string[]
  /** Not a change that anybody made, such as what a probe measured: leaves no audit entry. */
  readonly unaudited?: true
  readonly examples: readonly Example[]
  /** What takes long, before the transaction: storing an upload, asking another host. Its fields are handed to `run`. */
  prepare?(call: Call<R, A, E, S, I, C>): Promise<P>
}

/** An operation as the runtime and the adapters see it: plain data and functions. */
export interface Operation {
  readonly method: Method
  /** With `{parameters}`, without `.json`. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly access: Access
  readonly credential: AnyAuthenticator | undefined
  readonly role: Role | ((call: never) => Role | undefined) | undefined
  readonly reach: 'workspace' | ((call: never) => Reach) | undefined
  readonly denies: ((call: never) => string | undefined) | undefined
  readonly on: readonly AnySubject[]
  /** The path parameter that names each of them. */
  readonly onParameters: readonly string[]
  readonly effect: Effect
  readonly offered: Readonly<Record<string, readonly unknown[]>> | undefined
  readonly status: 200 | 201 | 303
  /** Path parameters in order, each with its schema. */
  readonly pathInput: Readonly<Record<string, TSchema>>
  /** Everything else: query for GET and beside an upload, body otherwise. */
  readonly input: TObject
  readonly accepts: InputKind
  /** Schema of `data`, and of `meta` where the operation has one of its own. */
  readonly output: TSchema
  readonly meta: TObject
  readonly answers: AnswerKind
  readonly surfaces: readonly string[] | undefined
  readonly rate: RateName | undefined
  readonly secrets: readonly string[]
  readonly audited: boolean
  readonly examples: readonly Example[]
  readonly prepare: ((call: never) => Promise<object>) | undefined
  run(call: never): Promise<{ data: unknown; meta: Record<string, unknown> }>
}

const anyMeta = Type.Object({})

/** An operation that answers one record, or whatever kind it names. */
export function operation<
  const R extends Route,
  const A extends Access,
  const E extends Effect,
  I extends TProperties,
  O extends TSchema,
  S extends AnySubject = never,
  C extends AnyAuthenticator = never,
  P extends object = object,
>(
  declared: Declared<R, A, E, S, I, C, P> & { answers?: AnswerKind; output: O; run(call: Call<R, A, E, S, I, C> & P): Promise<Static<O>> },
): Operation {
  return define(declared, declared.answers ?? { kind: 'record' }, declared.output, anyMeta, async (call: Call<R, A, E, S, I, C> & P) => ({
    data: await declared.run(call),
    meta: {},
  }))
}

/** An operation that answers a report: data, and in `meta` what was applied, ignored or approximated. */
export function report<
  const R extends Route,
  const A extends Access,
  const E extends Effect,
  I extends TProperties,
  O extends TSchema,
  M extends TObject,
  S extends AnySubject = never,
  C extends AnyAuthenticator = never,
  P extends object = object,
>(
  declared: Declared<R, A, E, S, I, C, P> & {
    output: O
    meta: M
    run(call: Call<R, A, E, S, I, C> & P): Promise<{ data: Static<O>; meta: Static<M> }>
  },
): Operation {
  return define(declared, { kind: 'report' }, declared.output, declared.meta, (call: Call<R, A, E, S, I, C> & P) => declared.run(call))
}

export const paging = {
  page: Type.Integer({ default: 1, minimum: 1, maximum: 1_000_000, description: 'Page of the list, from 1.', [brief]: {} }),
  per_page: Type.Integer({ unit: 'count', default: 25, minimum: 1, maximum: 100, description: 'Records on a page.', [brief]: {} }),
}
export const pagingMeta = Type.Object({
  page: Type.Integer({ description: 'This page, from 1.' }),
  per_page: Type.Integer({ unit: 'count', description: 'Records on a page.' }),
  total: Type.Integer({ unit: 'count', description: 'Records in all.' }),
  total_pages: Type.Integer({ unit: 'count', description: 'Pages in all; at least 1.' }),
})
/** `meta` of a page of so many records. */
export const pagesOf = ({ page, per_page }: { page: number; per_page: number }, total: number) => ({
  page,
  per_page,
  total,
  total_pages: Math.max(1, Math.ceil(total / per_page)),
})

export interface Page {
  readonly offset: number
  readonly limit: number
}

/** An operation that answers a list in pages. `run` is handed the page and gives back its rows and the total. */
export function list<
  const R extends Route,
  const A extends Access,
  const E extends Effect,
  I extends TProperties,
  O extends TSchema,
  S extends AnySubject = never,
  C extends AnyAuthenticator = never,
  P extends object = object,
>(
  declared: Declared<R, A, E, S, I, C, P> & {
    of: O
    run(call: Call<R, A, E, S, I, C> & P & { page: Page }): Promise<{ rows: Static<O>[]; total: number }>
  },
): Operation {
  const paged = { ...declared, input: { ...declared.input, ...paging } }
  return define(
    paged,
    { kind: 'list' },
    Type.Array(declared.of),
    pagingMeta,
    async (call: Call<R, A, E, S, I, C> & P & { input: Static<TObject<typeof paging>> }) => {
      const { page, per_page } = call.input
      const { rows, total } = await declared.run({ ...call, page: { offset: (page - 1) * per_page, limit: per_page } })
      return { data: rows, meta: pagesOf({ page, per_page }, total) }
    },
  )
}

function define<D extends Declared<Route, Access, Effect, AnySubject, TProperties, AnyAuthenticator, object>, C>(
  declared: Omit<D, 'role' | 'reach' | 'denies' | 'prepare'> & { role?: unknown; reach?: unknown; denies?: unknown; prepare?: unknown },
  answers: AnswerKind,
  output: TSchema,
  meta: TObject,
  run: (call: C) => Promise<{ data: unknown; meta: Record<string, unknown> }>,
): Operation {
  const [method, path] = declared.route.split(' ') as [Method, string]
  const on: readonly AnySubject[] = declared.on === undefined ? [] : 'name' in declared.on ? [declared.on] : declared.on
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  return Object.freeze({
    method,
    path,
    summary: declared.summary,
    description: declared.description,
    access: declared.access,
    credential: declared.credential,
    role: declared.role,
    reach: declared.reach,
    denies: declared.denies,
    on,
    onParameters: on.map(subject => names.find(name => subjectOf(name, path, on) === subject) ?? ''),
    effect: declared.effect,
    offered: declared.offered,
    status: answers.kind === 'redirect' ? 303 : declared.effect === 'create' ? 201 : 200,
    pathInput: Object.fromEntries(names.map(name => [name, declared.path?.[name] ?? idSchema(name, path, on)])),
    input: Type.Object(declared.input),
    accepts: declared.accepts ?? 'json',
    output,
    meta,
    answers,
    surfaces: declared.surfaces,
    rate: declared.rate,
    secrets: declared.secrets ?? [],
    audited: declared.effect !== 'read' && !declared.unaudited,
    examples: declared.examples,
    prepare: declared.prepare,
    run,
  }) as Operation // its functions are only ever called with what this declaration asks for
}

/** The subject a path parameter names: `{site_id}` the site, `{id}` the innermost one that has no parameter of its own. */
export function subjectOf(parameter: string, path: string, on: readonly AnySubject[]): AnySubject | undefined {
  return (
    on.find(subject => `${subject.name}_id` === parameter) ??
    (parameter === 'id' ? on.findLast(subject => !path.includes(`{${subject.name}_id}`)) : undefined)
  )
}

function idSchema(parameter: string, path: string, on: readonly AnySubject[]): TSchema {
  const subject = subjectOf(parameter, path, on)
  if (!subject) return Id({ description: '' })
  const { name, calledBy } = subject
  return Id({
    description: `Id of the ${name.replaceAll('_', ' ')}.`,
    [brief]: calledBy === undefined ? {} : { description: `Id or ${calledBy}.` },
  })
}
