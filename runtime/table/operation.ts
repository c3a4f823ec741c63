/** An operation: one declaration, from which every surface is derived. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { after, type Awaitable } from '../../storage/values/awaitable.ts'
import type { Db, Store } from '../../storage/store.ts'
import type { Authenticator } from '../call/authenticator.ts'
import type { Caller, MemberCaller } from '../call/caller.ts'
import type { Config } from '../settings/config.ts'
import type { Failure } from './errors.ts'
import type { Emit } from '../events/event.ts'
import type { IdKind } from './ids.ts'
import type { AnswerKind, Bytes, InputKind } from './answer-kinds.ts'
import type { Log } from '../observability/log.ts'
import type { WireFormat } from './wire-format.ts'
import type { Permission, Role } from './permissions.ts'
import type { Outcome } from './outcome.ts'
import type { Form } from './page.ts'
import type { Addition, Quota } from './quota.ts'
import type { RateName } from '../call/rate.ts'
import type { Resource } from './resource.ts'
import { brief, Id } from './schema.ts'
import type { Subject } from './subject.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`
/** The effect of the call: decides the status, the transaction, the audit entry and MCP's hints. */
export type Effect = 'read' | 'create' | 'update' | 'delete'
/**
 * Who may call: a permission; `member`: any token of the workspace; `account`: any valid token, for writes one without
 * `site_ids`; `session`: a signed-in user; `public`: anyone.
 */
export type Access = Permission | 'member' | 'account' | 'session' | 'public'

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

/** Values of fields, each one of some. */
type States = Readonly<Record<string, readonly (string | number | boolean | null)[]>>

export interface OfferedBy {
  /** Id of a list whose path has the parameters of the operation's. */
  readonly list: string
  /** What its first record must be like. */
  readonly first: States
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

type PathParams<R extends string> = R extends `${string}{${infer P}}${infer Rest}` ? P | PathParams<Rest> : never
// biome-ignore lint/suspicious/noExplicitAny: rows of all kinds meet here, and `unknown` would not be assignable to each one's own
type AnySubject = Subject<string, any> // row types differ; `Handed` recovers each
type Handed<S extends AnySubject> = { readonly [K in S as K['name']]: K extends Subject<string, infer Row> ? Row : never }
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyAuthenticator = Authenticator<string, any>
type Shown<C extends AnyAuthenticator> = { readonly [K in C as K['name']]: K extends Authenticator<string, infer Row> ? Row : never }
/** Only members write; share links can call reads. */
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
  /** Says what it shows, unless the summary does. */
  readonly summary?: string
  /** Ids may name records of the example world: `{{site}}`, `{{alert}}` (see tests/support/world.ts). */
  readonly input: Readonly<Record<string, unknown>>
}

/** Parts of the navigation, in their order. `top`: a field above all pages that takes one text; `aside`: reached from other pages alone. */
export const places = ['reports', 'conversions', 'content', 'watching', 'data', 'settings', 'top', 'aside'] as const
export type Place = (typeof places)[number]

/** The reach that a token restricted to sites must have: the whole workspace, or all of these sites. */
export type Reach = 'workspace' | readonly string[]

/** @typeParam C what `run` receives before `prepare` adds to it */
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
  /** How its page is headed and called in the navigation; default: the end of its path in words. */
  readonly title?: string
  /** The label of its button, in four words at most; default: the beginning of its summary. */
  readonly label?: string
  /** The sentence of a page after it: `Alert muted.`; default: that its record was created, changed or deleted. */
  readonly done?: string
  /** The part of the navigation that its page stands in; default: `reports` for a report, `content` for a list. */
  readonly place?: Place
  readonly access: A
  /** Required credential of an operation that is otherwise public; `run` receives its row. */
  readonly credential?: C
  /** Permissions needed as well as `access`, because the operation gives what they guard. */
  readonly needs?: readonly Permission[]
  /** Role that the caller needs beside the permission; a function if it depends on the change. */
  readonly role?: Role | ((call: Call<R, A, E, S, I, C>) => Role | undefined)
  /** The reach that a token restricted to sites must have; a function if it depends on the input. */
  readonly reach?: 'workspace' | ((call: Call<R, A, E, S, I, C>) => Reach)
  /** Any further reason to refuse this input to this caller; undefined to allow it. */
  readonly denies?: (call: Call<R, A, E, S, I, C>) => string | undefined
  /** The quota that it uses, in the workspace of its path or in another; undefined if this call uses none. */
  readonly adds?: Quota | ((call: Call<R, A, E, S, I, C> & P) => Addition | undefined)
  /** The subjects of the path, outermost first: each is found and authorised, and `run` receives its row. */
  readonly on?: S | readonly S[]
  /** Locks the row that it changes, if that is the caller's own and no subject of the path. */
  readonly locks?: (call: Call<R, A, E, S, I, C>) => Promise<unknown>
  readonly effect: E
  /** States of the innermost record in which pages and agents should offer this: `{ status: ['paused'] }`. */
  readonly offered?: States
  /** Likewise, where another record has that state: the first of a list. */
  readonly offeredBy?: OfferedBy
  /** Path of a page beside its own that leads to its form as well, or has it where no page is above its path. */
  readonly linkedFrom?: string
  readonly input: I
  /** Kind of the input; default `json`. */
  readonly accepts?: InputKind
  /** Path parameters that are not subjects, with their schemas. */
  readonly path?: Readonly<Record<string, TSchema>>
  /**
   * Only within ten minutes of a sign-in, else `reauthentication_required`. `session`: asked of sessions, while tokens
   * call it as ever.
   */
  readonly fresh?: true | 'session'
  /** Concerns what the person has beside their workspaces: not for who was signed in by an identity provider (`withoutAccount`). */
  readonly ofPerson?: true
  /** For `public`: only from our own pages, as it makes a session. */
  readonly ownOrigin?: true
  /** The field of the answer with an address elsewhere that a person goes on to. */
  readonly onward?: string
  /** As a form of a page, beside JSON. */
  readonly form?: Form
  /** Only these surfaces, where not all that carry its kinds. */
  readonly surfaces?: readonly string[]
  /** A tighter limit than its access implies: `costly`. */
  readonly rate?: RateName
  /** Input or output fields with secrets: never audited or cached, and stored sealed for a repeated request. */
  readonly secrets?: readonly string[]
  /** Not a change by a user, such as a probe's result: writes no audit entry. */
  readonly unaudited?: true
  /** The protocol of others that defines it as well. */
  readonly wireFormat?: WireFormat
  readonly examples: readonly Example[]
  /**
   * Slow work before the transaction: storing an upload, calling another host. `run` receives its result's fields. It
   * runs only for a caller with the rights, and not for a repeated request. The bytes of an upload are not part of the
   * fingerprint of an Idempotency-Key.
   */
  prepare?(call: Call<R, A, E, S, I, C>): Promise<P>
}

/** An operation as the runtime and adapters see it: plain data and functions. */
export interface Operation {
  readonly method: Method
  /** With `{parameters}`, without `.json`. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly title: string | undefined
  readonly label: string | undefined
  readonly done: string | undefined
  readonly outcome: ((record: never) => Outcome) | undefined
  readonly place: Place | undefined
  readonly access: Access
  readonly credential: AnyAuthenticator | undefined
  readonly needs: readonly Permission[]
  readonly role: Role | ((call: never) => Role | undefined) | undefined
  readonly reach: 'workspace' | ((call: never) => Reach) | undefined
  readonly denies: ((call: never) => string | undefined) | undefined
  readonly adds: Quota | ((call: never) => Addition | undefined) | undefined
  readonly on: readonly AnySubject[]
  /** The path parameter of each subject. */
  readonly onParameters: readonly string[]
  readonly locks: ((call: never) => Promise<unknown>) | undefined
  readonly effect: Effect
  readonly offered: Readonly<Record<string, readonly unknown[]>> | undefined
  readonly offeredBy: OfferedBy | undefined
  readonly linkedFrom: string | undefined
  readonly status: 200 | 201 | 303
  /** Path parameters in order, with their schemas. */
  readonly pathInput: Readonly<Record<string, TSchema>>
  /** All other input: the query for GET and beside an upload, else the body. */
  readonly input: TObject
  readonly accepts: InputKind
  /** Schema of `data`, and of `meta` if it differs from the default. */
  readonly output: TSchema
  readonly meta: TObject
  readonly answers: AnswerKind
  readonly fresh: true | 'session' | undefined
  readonly ofPerson: boolean
  readonly ownOrigin: boolean
  readonly onward: string | undefined
  readonly form: Form | undefined
  readonly surfaces: readonly string[] | undefined
  readonly rate: RateName | undefined
  readonly secrets: readonly string[]
  readonly audited: boolean
  readonly wireFormat: WireFormat | undefined
  readonly examples: readonly Example[]
  readonly prepare: ((call: never) => Promise<object>) | undefined
  run(call: never): Awaitable<{ data: unknown; meta: Record<string, unknown> }>
}

const anyMeta = Type.Object({})

/** An operation that answers one record, or any kind that it names. */
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
  declared: Declared<R, A, E, S, I, C, P> & {
    answers?: AnswerKind
    output: O
    /** Where the answer says how it went, which a page shows instead of "done". */
    outcome?: (record: Static<O>) => Outcome
    run(call: Call<R, A, E, S, I, C> & P): Awaitable<Static<O>>
  },
): Operation {
  return define(declared, declared.answers ?? { kind: 'record' }, declared.output, anyMeta, (call: Call<R, A, E, S, I, C> & P) =>
    after(declared.run(call), data => ({ data, meta: {} })),
  )
}

/** An operation that answers a report: `data`, and `meta` with what was applied, ignored or approximated. */
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
/** The `meta` of a page of a list with `total` records. */
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

/** An operation that answers a list in pages. `run` receives the page and returns its rows and the total. */
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
    /** Fields of `meta` beside the paging. */
    also?: TProperties
    /** Most records on a page; default 100. Where the whole list is wanted as a file. */
    mostOnPage?: number
    run(
      call: Call<R, A, E, S, I, C> & P & { page: Page },
    ): Promise<{ rows: Static<O>[]; total: number; also?: Readonly<Record<string, unknown>> }>
  },
): Operation {
  const per_page = declared.mostOnPage === undefined ? paging.per_page : { ...paging.per_page, maximum: declared.mostOnPage }
  const paged = { ...declared, input: { ...declared.input, ...paging, per_page } }
  return define(
    paged,
    { kind: 'list' },
    Type.Array(declared.of),
    declared.also ? Type.Object({ ...pagingMeta.properties, ...declared.also }) : pagingMeta,
    async (call: Call<R, A, E, S, I, C> & P & { input: Static<TObject<typeof paging>> }) => {
      const { page, per_page } = call.input
      const { rows, total, also = {} } = await declared.run({ ...call, page: { offset: (page - 1) * per_page, limit: per_page } })
      return { data: rows, meta: { ...pagesOf({ page, per_page }, total), ...also } }
    },
  )
}

function define<D extends Declared<Route, Access, Effect, AnySubject, TProperties, AnyAuthenticator, object>, C>(
  declared: Omit<D, 'role' | 'reach' | 'denies' | 'adds' | 'locks' | 'prepare'> & {
    role?: unknown
    reach?: unknown
    denies?: unknown
    adds?: unknown
    locks?: unknown
    prepare?: unknown
    outcome?: unknown
  },
  answers: AnswerKind,
  output: TSchema,
  meta: TObject,
  run: (call: C) => Awaitable<{ data: unknown; meta: Record<string, unknown> }>,
): Operation {
  const [method, path] = declared.route.split(' ') as [Method, string]
  const on: readonly AnySubject[] = declared.on === undefined ? [] : 'name' in declared.on ? [declared.on] : declared.on
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  return Object.freeze({
    method,
    path,
    summary: declared.summary,
    description: declared.description,
    title: declared.title,
    label: declared.label,
    done: declared.done,
    outcome: declared.outcome,
    place: declared.place,
    access: declared.access,
    credential: declared.credential,
    needs: declared.needs ?? [],
    role: declared.role,
    reach: declared.reach,
    denies: declared.denies,
    adds: declared.adds,
    on,
    onParameters: on.map(subject => names.find(name => subjectOf(name, path, on) === subject) ?? ''),
    locks: declared.locks,
    effect: declared.effect,
    offered: declared.offered,
    offeredBy: declared.offeredBy,
    linkedFrom: declared.linkedFrom,
    status: answers.kind === 'redirect' ? 303 : declared.effect === 'create' ? 201 : 200,
    pathInput: Object.fromEntries(names.map(name => [name, declared.path?.[name] ?? idSchema(name, path, on)])),
    input: Type.Object(declared.input),
    accepts: declared.accepts ?? 'json',
    output,
    meta,
    answers,
    fresh: declared.fresh,
    ofPerson: declared.ofPerson === true,
    ownOrigin: declared.ownOrigin === true,
    onward: declared.onward,
    form: declared.form,
    surfaces: declared.surfaces,
    rate: declared.rate,
    secrets: declared.secrets ?? [],
    audited: declared.effect !== 'read' && !declared.unaudited,
    wireFormat: declared.wireFormat,
    examples: declared.examples,
    prepare: declared.prepare,
    run,
  }) as Operation // its functions are only called with what this declaration names
}

/** The subject of a path parameter: `{site_id}` is the site, `{id}` the innermost subject without its own parameter. */
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
