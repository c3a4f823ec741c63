/** An operation: one declaration, from which every surface is derived. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Access, Effect, Method, RateName, Reach, Route } from './access.ts'
import type { AnswerKind, InputKind } from './answer-kinds.ts'
import type { IconName } from './icons.ts'
import type {
  AnyAuthenticator,
  AnySubject,
  Call,
  Deprecation,
  Entry,
  Example,
  Input,
  OfferedBy,
  OperationFields,
  Place,
  Emptiness,
} from './operation-fields.ts'
import type { Outcome } from './outcome.ts'
import type { Form } from './page.ts'
import type { Permission, Role } from './permissions.ts'
import { proofInput } from './prover.ts'
import type { Addition, Quota } from './quota.ts'
import { brief, Id } from './schema.ts'
import type { WireFormat } from './wire-format.ts'
import type { Sentence } from '../texts/message.ts'

/** An operation as the runtime and adapters see it: plain data and functions. */
export interface Operation {
  readonly method: Method
  /** With `{parameters}`, without `.json`. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly help: string | undefined
  readonly title: string | undefined
  readonly label: string | undefined
  readonly empty: Emptiness | undefined
  readonly done: string | undefined
  readonly outcome: ((record: never) => Outcome) | undefined
  readonly place: Place | undefined
  readonly icon: IconName | undefined
  readonly entries: readonly Entry[]
  readonly access: Access
  readonly credential: AnyAuthenticator | undefined
  readonly needs: readonly Permission[]
  readonly role: Role | ((call: never) => Role | undefined) | undefined
  readonly reach: 'workspace' | ((call: never) => Reach) | undefined
  readonly denies: ((call: never) => Sentence | undefined) | undefined
  readonly adds: Quota | ((call: never) => Addition | undefined) | undefined
  readonly on: readonly AnySubject[]
  /** The path parameter of each subject. */
  readonly onParameters: readonly string[]
  /** Whether its site may be a group. */
  readonly groups: boolean
  readonly locks: ((call: never) => Promise<unknown>) | undefined
  readonly effect: Effect
  readonly offered: Readonly<Record<string, readonly unknown[]>> | undefined
  readonly offeredBy: OfferedBy | undefined
  readonly actAs: AnySubject | undefined
  readonly linkedFrom: string | undefined
  readonly status: 200 | 201 | 303
  /** Path parameters in order, with their schemas. */
  readonly pathInput: Readonly<Record<string, TSchema>>
  /** All other input: the query of a GET or an upload, otherwise the body. */
  readonly input: TObject
  readonly accepts: InputKind
  /** Schema of `data`, and of `meta` if it differs from the default. */
  readonly output: TSchema
  readonly meta: TObject
  readonly answers: AnswerKind
  readonly fresh: true | 'session' | undefined
  readonly proof: boolean | ((call: never) => boolean)
  readonly ofPerson: boolean
  readonly ownOrigin: boolean
  readonly onward: string | undefined
  readonly form: Form | undefined
  readonly surfaces: readonly string[] | undefined
  readonly forPrograms: boolean
  readonly rate: RateName | undefined
  readonly secrets: readonly string[]
  readonly audited: boolean
  readonly contacts: boolean
  readonly deprecated: Deprecation | undefined
  readonly undoes: string | undefined
  readonly discards: boolean
  readonly wireFormat: WireFormat | undefined
  readonly examples: readonly Example[]
  readonly prepare: ((call: never) => Promise<object>) | undefined
  run(call: never): Promise<{ data: unknown; meta: Record<string, unknown> }>
}

declare const types: unique symbol
/** An operation that remembers the types of its input and of the data that it answers. */
export interface Typed<In, Data> extends Operation {
  readonly [types]?: { readonly input: In; readonly data: Data }
}

const anyMeta = Type.Object({})

/**
 * Declares an operation that answers one record, or another kind of answer (`answers`). The export's name is its id.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 *
 * const colours_create = operation({
 *   route: 'POST /colours',
 *   summary: 'Create a colour',
 *   access: 'content.write',
 *   effect: 'create',
 *   input: { name: Type.String({ minLength: 1, maxLength: 40, description: 'Name of the colour.' }) },
 *   output: Type.Object({ name: Type.String({ description: 'Name of the colour.' }) }),
 *   examples: [{ input: { name: 'red' } }],
 *   run: ({ input }) => ({ name: input.name }),
 * })
 * assert.equal(colours_create.status, 201)
 * assert.deepEqual(await colours_create.run({ input: { name: 'red' } } as never), { data: { name: 'red' }, meta: {} })
 */
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
  declared: OperationFields<R, A, E, S, I, C, P> & {
    answers?: AnswerKind
    output: O
    /** The outcome that the record describes. A page shows it instead of the sentence for success. */
    outcome?: (record: Static<O>) => Outcome
    run(call: Call<R, A, E, S, I, C> & P): Awaitable<Static<O>>
  },
): Typed<Input<R, I>, Static<O>> {
  return define({
    declared,
    answers: declared.answers ?? { kind: 'record' },
    output: declared.output,
    meta: anyMeta,
    run: async (call: Call<R, A, E, S, I, C> & P) => ({
      data: await declared.run(call),
      meta: {},
    }),
  })
}

/**
 * Declares an operation that answers a report: `data`, and `meta` with what was applied, ignored or approximated.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 *
 * const colours_count = report({
 *   route: 'GET /colours/count',
 *   summary: 'Count colours',
 *   access: 'analytics.read',
 *   effect: 'read',
 *   input: {},
 *   output: Type.Object({ colours: Type.Integer({ description: 'Number of colours.' }) }),
 *   meta: Type.Object({ counted_at: Type.Integer({ description: 'Milliseconds since 1970.' }) }),
 *   examples: [{ input: {} }],
 *   run: async ({ now }) => ({ data: { colours: 3 }, meta: { counted_at: now } }),
 * })
 * assert.deepEqual(await colours_count.run({ now: 0 } as never), { data: { colours: 3 }, meta: { counted_at: 0 } })
 */
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
  declared: OperationFields<R, A, E, S, I, C, P> & {
    output: O
    meta: M
    run(call: Call<R, A, E, S, I, C> & P): Promise<{ data: Static<O>; meta: Static<M> }>
  },
): Typed<Input<R, I>, Static<O>> {
  return define({
    declared,
    answers: { kind: 'report' },
    output: declared.output,
    meta: declared.meta,
    run: (call: Call<R, A, E, S, I, C> & P) => declared.run(call),
  })
}

export const paging = {
  page: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Page of the list, from 1.',
    [brief]: { description: 'From 1.' },
  }),
  per_page: Type.Integer({
    unit: 'count',
    default: 25,
    minimum: 1,
    maximum: 100,
    description: 'Records on a page.',
    [brief]: { description: 'At most 100.', default: undefined },
  }),
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

/**
 * Declares an operation that answers a list in pages. `run` receives the page and returns its rows and the total.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 *
 * const names = ['blue', 'green', 'red']
 * const colours_list = list({
 *   route: 'GET /colours',
 *   summary: 'List colours',
 *   access: 'analytics.read',
 *   effect: 'read',
 *   input: {},
 *   of: Type.Object({ name: Type.String({ description: 'Name of the colour.' }) }),
 *   examples: [{ input: {} }],
 *   run: async ({ page: { offset, limit } }) => ({
 *     rows: names.slice(offset, offset + limit).map(name => ({ name })),
 *     total: names.length,
 *   }),
 * })
 * const { data, meta } = await colours_list.run({ input: { page: 2, per_page: 2 } } as never)
 * assert.deepEqual(data, [{ name: 'red' }])
 * assert.equal(meta.total_pages, 2)
 */
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
  declared: OperationFields<R, A, E, S, I, C, P> & {
    of: O
    /** Fields of `meta` in addition to the paging. */
    also?: TProperties
    /** Most records on a page; default 100. Where the whole list is wanted as a file. */
    maxOnPage?: number
    run(
      call: Call<R, A, E, S, I, C> & P & { page: Page },
    ): Promise<{ rows: Static<O>[]; total: number; also?: Readonly<Record<string, unknown>> }>
  },
): Typed<Input<R, I & typeof paging>, readonly Static<O>[]> {
  const per_page = declared.maxOnPage === undefined ? paging.per_page : { ...paging.per_page, maximum: declared.maxOnPage }
  const paged = { ...declared, input: { ...declared.input, ...paging, per_page } }
  return define({
    declared: paged,
    answers: { kind: 'list' },
    output: Type.Array(declared.of),
    meta: declared.also ? Type.Object({ ...pagingMeta.properties, ...declared.also }) : pagingMeta,
    run: async (call: Call<R, A, E, S, I, C> & P & { input: Static<TObject<typeof paging>> }) => {
      const { page, per_page } = call.input
      const { rows, total, also = {} } = await declared.run({ ...call, page: { offset: (page - 1) * per_page, limit: per_page } })
      return { data: rows, meta: { ...pagesOf({ page, per_page }, total), ...also } }
    },
  })
}

function define<D extends OperationFields<Route, Access, Effect, AnySubject, TProperties, AnyAuthenticator, object>, C>({
  declared,
  answers,
  output,
  meta,
  run,
}: {
  declared: Omit<D, 'role' | 'reach' | 'denies' | 'adds' | 'locks' | 'prepare' | 'proof'> & {
    role?: unknown
    reach?: unknown
    denies?: unknown
    adds?: unknown
    locks?: unknown
    prepare?: unknown
    proof?: unknown
    outcome?: unknown
  }
  answers: AnswerKind
  output: TSchema
  meta: TObject
  run: (call: C) => Promise<{ data: unknown; meta: Record<string, unknown> }>
}): Operation {
  const [method, path] = declared.route.split(' ') as [Method, string]
  const on: readonly AnySubject[] = declared.on === undefined ? [] : 'name' in declared.on ? [declared.on] : declared.on
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  return Object.freeze({
    method,
    path,
    summary: declared.summary,
    description: declared.description,
    help: declared.help,
    title: declared.title,
    label: declared.label,
    empty: declared.empty,
    done: declared.done,
    outcome: declared.outcome,
    place: declared.place,
    icon: declared.icon,
    entries: declared.entries ?? [],
    access: declared.access,
    credential: declared.credential,
    needs: declared.needs ?? [],
    role: declared.role,
    reach: declared.reach,
    denies: declared.denies,
    adds: declared.adds,
    on,
    onParameters: on.map(subject => names.find(name => subjectOf(name, path, on) === subject) ?? ''),
    groups: declared.groups ?? answers.kind === 'report',
    locks: declared.locks,
    effect: declared.effect,
    offered: declared.offered,
    offeredBy: declared.offeredBy,
    actAs: declared.actAs,
    linkedFrom: declared.linkedFrom,
    status: answers.kind === 'redirect' ? 303 : declared.effect === 'create' ? 201 : 200,
    pathInput: Object.fromEntries(names.map(name => [name, declared.path?.[name] ?? idSchema(name, path, on)])),
    input: Type.Object(declared.input),
    accepts: declared.accepts ?? 'json',
    output,
    meta,
    answers,
    fresh: declared.fresh,
    proof: (declared.proof ?? false) as Operation['proof'], // as above
    ofPerson: declared.ofPerson === true,
    ownOrigin: declared.ownOrigin === true,
    onward: declared.onward,
    form: declared.form,
    surfaces: declared.surfaces,
    forPrograms: declared.forPrograms === true,
    rate: declared.rate,
    secrets: [...(declared.secrets ?? []), ...(declared.proof === undefined ? [] : Object.keys(proofInput))],
    contacts: declared.contacts === true,
    deprecated: declared.deprecated,
    undoes: declared.undoes,
    discards: declared.discards === true || method === 'PATCH' || declared.effect === 'delete',
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
    [brief]: { description: calledBy === null ? 'Id.' : `Id or ${calledBy ?? 'name'}.` },
  })
}
