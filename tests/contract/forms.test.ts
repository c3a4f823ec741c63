/**
 * Every form of the table: it is answered by an address, which repeats nothing however often it is loaded; and the same drawn
 * form sent again is answered as before, and done once.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import { hasForm } from '../../adapters/surfaces.ts'
import { filled } from '../../runtime/ui/words.ts'
import { table } from '../../operations/index.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import type { Tables } from '../../storage/tables/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { fill, makeWorld, makeWorldOf, ownPage, refusals, request, startService, type TestService, type World } from '../support/world.ts'
import { fieldsOf } from './fields.ts'

const forms = [...table.operations.values()].filter(row => hasForm(row) || row.form)

/** Operations that end the session that the test would look with. */
const endsSession = new Set(['sessions_end', 'sessions_delete', 'account_delete', 'passwords_reset'])

/** What a form sends besides its example: it is drawn with a value where the API has a default that the form never means. */
const drawnWith: Readonly<Record<string, object>> = { api_tokens_create: { permissions: ['analytics.read'] } }

const written = forms.filter(({ effect }) => effect !== 'read')

/** Actions on records that have an error of their own, which is not what came of the action. */
const done: Readonly<Record<string, string>> = {
  sso_activate: 'the error is of the last test',
  sso_deactivate: 'as above',
  channel_applications_cancel: 'it was stopped, whatever it was at',
  imports_cancel: 'as above',
  exports_cancel: 'as above',
  workspace_imports_cancel: 'as above',
  workspace_exports_cancel: 'as above',
  warehouse_syncs_run: 'the error is of an earlier run',
}
const tellsHow = ({ output }: NamedOperation) =>
  Object.entries<TSchema>(output.properties ?? {}).some(
    ([name, schema]) =>
      /(^|_)error$|^ok$|^rejected$/.test(name) || (name === 'status' && ((schema.enum ?? []) as string[]).some(each => /^fail/.test(each))),
  )

test('an action whose record says how it went declares its outcome', () => {
  const actions = written.filter(row => hasForm(row) && row.method === 'POST' && row.effect === 'update' && tellsHow(row))
  assert.ok(actions.length > 8)
  assert.deepEqual(
    actions.filter(row => !row.outcome && !(row.id in done)).map(({ id }) => id),
    [],
  )
  assert.deepEqual(
    Object.keys(done).filter(id => !actions.some(row => row.id === id && !row.outcome)),
    [],
    'no exception for what needs none',
  )
})

test('what is neither made, changed nor deleted says in a sentence what was done', () => {
  const shown = (row: NamedOperation) => row.secrets.some(name => Object.hasOwn(row.output.properties ?? {}, name))
  const others = written.filter(row => hasForm(row) && row.effect === 'update' && row.method !== 'PATCH' && !shown(row))
  assert.deepEqual(
    others.filter(({ done, outcome }) => !done && !outcome).map(({ id }) => id),
    [],
  )
  for (const { id, done } of written.filter(row => row.done)) assert.match(done ?? '', /^[A-Z].*\.$/, id)
})

onAnyEngine('forms', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const send = (row: NamedOperation, world: World, token: string | undefined, key: string) => {
    const input = { ...fill(row.examples[0]?.input ?? {}, world), ...drawnWith[row.id] }
    const path = filled(row.path, Object.fromEntries(Object.keys(row.pathInput).map(name => [name, String(input[name])])))
    const fields = [...fieldsOf(row, input), ['_key', key]]
    return request(service, 'POST', `${path}?_method=${row.method}`, {
      token,
      body: String(new URLSearchParams(fields)),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
    })
  }
  const load = (token: string | undefined, location: string) =>
    request(service, 'GET', location, { token, headers: { Accept: 'text/html' } })

  /** How much there is of what the operation makes: its area's records, and what follows from them. */
  const counted = async (row: NamedOperation) => {
    const own = table.areas.find(({ operations = {} }) => Object.hasOwn(operations, row.id))?.tables ?? []
    const names: (keyof Tables)[] = [...new Set([...own, 'audit_entries', 'events', 'mails', 'webhook_deliveries'] as (keyof Tables)[])]
    const { fn } = service.store.read
    const count = async (name: keyof Tables) => {
      const found = await service.store.read.selectFrom(name).select(fn.countAll<number>().as('rows')).executeTakeFirstOrThrow()
      return [name, Number(found.rows)] as const
    }
    return Object.fromEntries(await Promise.all(names.map(count)))
  }

  for (const row of forms) {
    test(`${row.id}: a form leads to an address, and is done once however often it is sent or that is loaded`, async () => {
      const isPersonal =
        row.access === 'session' ||
        row.id === 'api_tokens_rotate' ||
        row.path.startsWith('/account/') ||
        row.on.some(({ name }) => name === 'conversation')
      const world = await (isPersonal ? makeWorld(service) : makeWorldOf(service, row))
      const token = row.access === 'public' ? undefined : isPersonal ? world.shown.session : await world.sessionFor('owner')
      const key = 'a'.repeat(22)
      const first = await send(row, world, token, key)
      if (row.id in refusals && first.status === 422) return
      assert.equal(first.status, 303, first.text.slice(0, 2_000))
      const location = first.headers.get('location') ?? assert.fail('it leads nowhere')
      if (!endsSession.has(row.id)) assert.doesNotMatch(location, /^\/sign-in\?/)
      const there = await counted(row)
      // After a sign-out or after leaving, there is no session to send the form again with.
      const again = await send(row, world, token, key)
      assert.equal(again.status, 303, again.text.slice(0, 2_000))
      if (!(again.headers.get('location') ?? '').startsWith('/sign-in')) assert.equal(again.headers.get('location'), location)
      assert.deepEqual(await counted(row), there, 'sent again')
      if (!location.startsWith('/')) return
      const loaded = [await load(token, location), await load(token, location)]
      assert.ok(
        loaded.every(({ status }) => status === 200 || status === 303 || status === 404),
        `${loaded[0]?.status} ${loaded[0]?.text.slice(0, 500)}`,
      )
      assert.equal(loaded[1]?.headers.get('etag'), loaded[0]?.headers.get('etag'))
      assert.deepEqual(await counted(row), there, 'loaded again')
    })
  }
})
