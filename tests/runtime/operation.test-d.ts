/**
 * Types that a declaration infers for its `run`, without a cast: compiled by `tsc --noEmit`, never run. A line under
 * `@ts-expect-error` must not compile.
 */
import { Type } from '@sinclair/typebox'
import { authenticator } from '../../runtime/table/authenticator.ts'
import { event } from '../../runtime/events/event.ts'
import { list, operation, report } from '../../runtime/table/operation.ts'
import { Clearable, DateTime, Nullable, OneOf, optional, record } from '../../runtime/table/schema.ts'
import { subject } from '../../runtime/table/subject.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles if both types are identical; `any` only equals itself. */
function same<A, B>(..._: Equal<A, B> extends true ? [] : [never]): void {}

interface ShopRow {
  id: string
  opened_at: number
}
interface ShelfRow {
  id: string
  shop_id: string
  height: number
}
const shop = subject<'shop', ShopRow>({ name: 'shop', find: async () => undefined })
const shelf = subject<'shelf', ShelfRow>({ name: 'shelf', find: async () => undefined })
const Shelf = record(
  'Shelf',
  {
    id: Type.String(),
    height: Type.Integer(),
    wood: OneOf(['oak', 'pine']),
    moved_at: Nullable(DateTime()),
  },
  'A shelf.',
)
const output = Type.Object({ ok: Type.Boolean() })
const common = { summary: 'Do it', access: 'analytics.read', effect: 'read', examples: [] } as const

operation({
  ...common,
  route: 'POST /shops/{shop_id}/shelves/{id}/at/{place}',
  on: [shop, shelf],
  path: { place: Type.String() },
  input: {
    height: Type.Integer({ default: 40 }),
    wood: optional(OneOf(['oak', 'pine'])),
    moved_at: optional(Nullable(DateTime())),
    until: optional(Clearable(DateTime(), {})),
    tags: Type.Array(Type.String()),
  },
  output: Shelf,
  async run({ input, shop, shelf, caller, db, now, use, ...services }) {
    same<typeof shop, ShopRow>()
    same<typeof shelf, ShelfRow>()
    same<typeof now, number>()
    same<typeof caller.workspaceId, string>()
    // Path parameters, defaults, options, nulls
    same<typeof input.shop_id, string>()
    same<typeof input.id, string>()
    same<typeof input.place, string>()
    same<typeof input.height, number>()
    same<typeof input.wood, 'oak' | 'pine' | undefined>()
    same<typeof input.moved_at, string | null | undefined>()
    same<typeof input.until, string | null | undefined>()
    same<typeof input.tags, string[]>()
    // @ts-expect-error not declared
    input.width
    // @ts-expect-error the path does not name it
    services.wall
    // @ts-expect-error no such column
    shelf.width
    // @ts-expect-error only lists have a page
    services.page
    await db.selectFrom('notes').select('text').execute()
    // @ts-expect-error no such table
    db.selectFrom('shelves')
    return { id: shelf.id, height: shelf.height, wood: input.wood ?? 'oak', moved_at: null }
  },
})

// Answers that do not match the declaration are refused.
operation({
  ...common,
  route: 'GET /a',
  input: {},
  output: Shelf,
  run: async () => ({ id: '', height: 1, wood: 'pine' as const, moved_at: null }),
})
operation({
  ...common,
  route: 'GET /a',
  input: {},
  output,
  // @ts-expect-error a field of another type
  run: async () => ({ ok: 'yes' }),
})
operation({
  ...common,
  route: 'GET /b',
  input: {},
  output,
  // @ts-expect-error a field is missing
  run: async () => ({}),
})
operation({
  ...common,
  route: 'GET /c',
  input: {},
  output: Shelf,
  // @ts-expect-error a value outside of the enum
  run: async () => ({ id: '', height: 1, wood: 'steel' as const, moved_at: null }),
})
operation({
  ...common,
  route: 'GET /d',
  input: {},
  output,
  // @ts-expect-error no answer
  run: async () => {},
})

// Invalid declarations are refused.
operation({
  ...common,
  input: {},
  output,
  run: async () => ({ ok: true }),
  // @ts-expect-error PUT is not allowed
  route: 'PUT /a',
})
operation({
  ...common,
  route: 'GET /a',
  input: {},
  output,
  run: async () => ({ ok: true }),
  // @ts-expect-error no such permission
  access: 'shops.manage',
})
// @ts-expect-error an output is required
operation({ ...common, route: 'GET /a', input: {}, run: async () => ({ ok: true }) })

// A public operation has no caller; without `on` there is no subject.
operation({
  ...common,
  access: 'public',
  route: 'GET /a/{id}',
  input: {},
  output,
  async run({ input, ...call }) {
    same<typeof input.id, string>()
    // @ts-expect-error no caller
    call.caller
    // @ts-expect-error no subject
    call.shop
    return { ok: true }
  },
})

// An operation with another credential receives its row instead of a caller.
const porter = authenticator<'porter', { gate: string }>({
  name: 'porter',
  sentAs: { bearer: 'por_' },
  acceptedBy: 'name',
  find: async () => undefined,
  callerOf: () => {
    throw new Error('nobody')
  },
})
operation({
  ...common,
  access: 'public',
  credential: porter,
  route: 'GET /gates',
  input: {},
  output,
  async run({ porter, ...call }) {
    same<typeof porter, { gate: string }>()
    // @ts-expect-error no caller
    call.caller
    return { ok: true }
  },
})

list({
  ...common,
  route: 'GET /shops/{shop_id}/shelves',
  on: shop,
  input: { wood: optional(OneOf(['oak', 'pine'])) },
  of: Shelf,
  async run({ shop, input, page }) {
    same<typeof shop, ShopRow>()
    same<typeof page.offset, number>()
    same<typeof page.limit, number>()
    same<typeof input.wood, 'oak' | 'pine' | undefined>()
    return { rows: [{ id: '', height: 1, wood: input.wood ?? 'pine', moved_at: null }], total: 1 }
  },
})
list({
  ...common,
  route: 'GET /shelves',
  input: {},
  of: Shelf,
  // @ts-expect-error the total is missing
  run: async () => ({ rows: [] }),
})
list({
  ...common,
  route: 'GET /shelves',
  input: {},
  of: Shelf,
  // @ts-expect-error rows of another record
  run: async () => ({ rows: [{ ok: true }], total: 1 }),
})

report({
  ...common,
  route: 'GET /report',
  input: {},
  output,
  meta: Type.Object({ notes: Type.Array(Type.String()) }),
  run: async () => ({ data: { ok: true }, meta: { notes: [] } }),
})
report({
  ...common,
  route: 'GET /report',
  input: {},
  output,
  meta: Type.Object({ notes: Type.Array(Type.String()) }),
  // @ts-expect-error meta must be declared
  run: async () => ({ data: { ok: true }, meta: {} }),
})

// An event carries what its kind declares.
const shelf_moved = event({ type: 'shelf.moved', summary: 'A shelf was moved.', data: Shelf })
operation({
  ...common,
  route: 'GET /e',
  input: {},
  output,
  async run({ emit }) {
    const about = { workspaceId: '', siteId: null }
    await emit(shelf_moved, { ...about, data: { id: '', height: 1, wood: 'oak', moved_at: null } })
    // @ts-expect-error a field is missing
    await emit(shelf_moved, { ...about, data: { id: '', height: 1, wood: 'oak' } })
    return { ok: true }
  },
})
