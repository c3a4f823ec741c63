/** How views, forms and slots of areas are found, and the messages about wrong ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from 'hono/html'
import { Type } from '@sinclair/typebox'
import { loadAreaViews, viewOf } from '../../../adapters/pages/area-views.ts'
import { table as service } from '../../../operations/index.ts'
import { area } from '../../../runtime/table/area.ts'
import type { Faces } from '../../../runtime/table/face.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { record } from '../../../runtime/table/schema.ts'
import { defineTable } from '../../../runtime/table/table.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { fill, slot } from '../../../runtime/ui/slot.ts'
import { listView, view } from '../../../runtime/ui/view.ts'

const Shelf = record('Shelf', { id: Type.String({ description: 'Its id.' }) }, 'A shelf.')
const common = { access: 'member', effect: 'read', summary: 'Test', input: {}, examples: [{ input: {} }] } as const
const shelves_get = operation({ ...common, route: 'GET /shelf', output: Shelf, run: () => ({ id: '' }) })
const shelves_list = list({ ...common, route: 'GET /shelves', of: Shelf, run: async () => ({ rows: [], total: 0 }) })

const tableWith = (...views: Faces[]) =>
  defineTable(
    views.map((faces, i) =>
      area({
        name: `Area ${i}`,
        description: 'Test.',
        ...(i === 0 && { operations: { shelves_get, shelves_list } }),
        views: async () => faces,
      }),
    ),
  )
const show = () => raw('<p>A shelf</p>')
const fault = (...views: Faces[]) => loadAreaViews(tableWith(...views)).then(() => '', String)

test('A view is found by the schema of what an operation answers, a list view by that of its records', async () => {
  const [one, all] = [view(Shelf, show), listView(Shelf, show)]
  const table = tableWith({ one, all })
  await loadAreaViews(table)
  const found = ['shelves_get', 'shelves_list'].map(id => viewOf(table, table.operations.get(id) ?? assert.fail()))
  assert.deepEqual(found, [one, all])
})

test('Two views of one record stop the start, and the message names both places', async () => {
  const message = await fault({ shelf: view(Shelf, show) }, { board: view(Shelf, show) })
  assert.match(message, /view of Shelf: has two: shelf of the area Area 0 and board of the area Area 1/)
})

test('A view of a record that no operation answers stops the start', async () => {
  const Chair = record('Chair', {}, 'A chair.')
  assert.match(await fault({ chair: view(Chair, show) }), /chair of the area Area 0: no operation answers Chair/)
  assert.match(await fault({ chairs: listView(Chair, show) }), /no operation answers a list of Chair/)
})

test('Two layouts of one form, and two areas that fill one slot, stop the start', async () => {
  const height = slot('height of a shelf')
  assert.match(await fault({ a: form(shelves_get, show) }, { b: form(shelves_get, show) }), /form of GET \/shelf: has two: a of/)
  assert.match(await fault({ a: fill(height, show) }, { b: fill(height, show) }), /slot "height of a shelf": has two: a of/)
})

test('An export of pages.tsx that is no declaration stops the start', async () => {
  assert.match(await fault({ helper: show } as unknown as Faces), /helper of the area Area 0: is not a view/)
})

test('The views of the service are right', async () => {
  const { views, listViews } = await loadAreaViews(service)
  assert.ok(views.size > 0 && listViews.size > 0)
})
