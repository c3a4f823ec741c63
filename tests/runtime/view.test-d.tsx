/**
 * Types that a view, a form and a slot infer from schemas: compiled by `tsc --noEmit`, never run. A line under
 * `@ts-expect-error` must not compile.
 */
import { Type } from '@sinclair/typebox'
import { list, operation, report } from '../../runtime/table/operation.ts'
import { Nullable, OneOf, optional, record } from '../../runtime/table/schema.ts'
import { form } from '../../runtime/ui/form-layout.ts'
import { OperationForm } from '../../runtime/ui/form.tsx'
import { fill, slot } from '../../runtime/ui/slot.ts'
import { listOf, listView, view } from '../../runtime/ui/view.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles if both types are identical; `any` only equals itself. */
function same<A, B>(..._: Equal<A, B> extends true ? [] : [never]): void {}

const Shelf = record(
  'Shelf',
  { id: Type.String(), wood: OneOf(['oak', 'pine']), moved_at: Nullable(Type.String()), height: optional(Type.Number()) },
  'A shelf.',
)
const Report = record('Report', { rows: Type.Array(Type.Object({ count: Type.Integer() })) }, 'A report.')
const Meta = Type.Object({ total: Type.Integer() })
const common = { access: 'analytics.read', effect: 'read', summary: 'Test', examples: [{ input: {} }] } as const
const shelves_get = operation({
  ...common,
  route: 'GET /shelves/{id}',
  input: { with_height: optional(Type.Boolean()) },
  output: Shelf,
  run: () => ({ id: '', wood: 'oak' as const, moved_at: null }),
})
const shelves_list = list({
  ...common,
  route: 'GET /shelves',
  input: { wood: optional(OneOf(['oak', 'pine'])) },
  of: Shelf,
  run: async () => ({ rows: [], total: 0 }),
})
report({
  ...common,
  route: 'GET /report',
  input: {},
  output: Report,
  meta: Meta,
  run: async () => ({ data: { rows: [] }, meta: { total: 0 } }),
})

view(Shelf, ({ data }) => {
  same<typeof data.wood, 'oak' | 'pine'>()
  same<typeof data.moved_at, string | null>()
  same<typeof data.height, number | undefined>()
  // @ts-expect-error the record has no such field
  data.heigth
  return <p>{data.id}</p>
})
// @ts-expect-error a view returns what the page shows
view(Shelf, ({ data }) => data.id)

listView(Shelf, ({ rows, page }) => {
  // @ts-expect-error the record has no such field
  rows.map(row => row.name)
  return (
    <>
      {rows.map(row => (
        <a href={page.hrefOf(row)}>{row.id}</a>
      ))}
    </>
  )
})

listView(
  Shelf,
  ({ meta }) => {
    same<typeof meta, { total: number }>()
    return undefined
  },
  { meta: Meta },
)

view(Report, ({ data, meta }) => (meta.total > 0 ? <p>{data.rows.length}</p> : undefined), { meta: Meta })
view(
  Report,
  ({ data }) => {
    same<typeof data, { rows: { count: number }[] } | undefined>()
    return <p>{data?.rows.length}</p>
  },
  { isAsked: true },
)

view(Shelf, async ({ page }) => {
  const one = await page.ask(shelves_get, { id: 'a', with_height: true })
  const all = await page.ask(shelves_list, { wood: 'oak', per_page: 10 })
  const named = await page.ask(listOf(Shelf), { wood: 'oak' })
  const other = await page.ask(Report)
  same<typeof one, { height?: number; id: string; wood: 'oak' | 'pine'; moved_at: string | null } | undefined>()
  // @ts-expect-error the operation has no such input
  page.ask(shelves_list, { wod: 'oak' })
  // @ts-expect-error another value
  page.ask(shelves_list, { wood: 'elm' })
  // @ts-expect-error a record is not found by its name
  page.ask('Shelf')
  // @ts-expect-error neither is its page
  page.pathOf('Shelf')
  return <p>{[all?.[0]?.wood, named?.[0]?.wood, other?.rows[0]?.count]}</p>
})

form(shelves_list, ({ field, rest }) => {
  // @ts-expect-error the operation has no such input
  field('wod')
  return (
    <>
      {field('wood', { label: 'Wood' })}
      {rest()}
    </>
  )
})

const shelf_form = (
  <OperationForm of={shelves_list} hidden={{ wood: 'oak', _next: '/' }} refused={undefined}>
    {({ field, nameOf, drawnFrom }) => {
      // @ts-expect-error the operation has no such input
      nameOf('wod')
      // @ts-expect-error neither has the record of a form
      drawnFrom({ wood: 'oak' }, ['wod'])
      return (
        <>
          {drawnFrom({ wood: 'oak' }, ['wood'])}
          {field('wood', { label: 'Wood' })}
          {
            // @ts-expect-error the operation has no such input
            field('wod', { label: 'Wood' })
          }
        </>
      )
    }}
  </OperationForm>
)
// @ts-expect-error the operation has no such input
const misspelt_form = <OperationForm of={shelves_list} hidden={{ wod: 'oak' }} refused={undefined} children={() => shelf_form} />
same<typeof misspelt_form, typeof shelf_form>()

const heights = slot<{ readonly shelf: string }, number>('height of a shelf')
fill(heights, ({ shelf, page }) => shelf.length + page.now)
// @ts-expect-error the slot receives no such value
fill(heights, ({ shelve }) => shelve)
// @ts-expect-error the slot takes a number
fill(heights, ({ shelf }) => shelf)
view(Shelf, async ({ data, page }) => {
  const height = await page.fill(heights, { shelf: data.id })
  same<typeof height, number | undefined>()
  // @ts-expect-error the slot is given a shelf
  await page.fill(heights, { shelves: data.id })
  return <p>{height}</p>
})
