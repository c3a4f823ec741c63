/** Versions of records over HTTP: a change on condition that the record is as it was read (RFC 9110 §8.8, §13.1.1). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { strongTags } from '../../adapters/http/if-match.ts'
import { table } from '../../operations/index.ts'
import { Failure } from '../../runtime/table/errors.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { versionedBy } from '../../runtime/table/record-versions.ts'
import { mostOn, onEachEngine } from '../support/engines.ts'
import {
  callHttp,
  fill,
  makeSite,
  makeWorldOf,
  refusals,
  request,
  startService,
  type TestService,
  tokenOf,
  type World,
} from '../support/world.ts'

const versioned = versionedBy(table)
const rows = [...table.operations.values()].filter(({ id, effect }) => versioned.has(id) && effect !== 'read')
const readOf = (row: NamedOperation): NamedOperation => versioned.get(row.id)?.read ?? assert.fail(row.id)
/** Input of a read that answers the record of a write with this input. */
const aboutSame = (read: NamedOperation, input: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.keys(read.pathInput).map(name => [name, input[name]]))

test('every PATCH of a record that can be read has a version, whose row is locked before it is compared', () => {
  const reads = new Set([...table.operations.values()].filter(({ method }) => method === 'GET').map(({ path }) => path))
  const without = [...table.operations.values()].filter(
    ({ id, method, effect, path, wireFormat }) =>
      method === 'PATCH' && effect === 'update' && reads.has(path) && !wireFormat && !versioned.has(id),
  )
  // Of these the read is a list of several, of which the input names one.
  assert.deepEqual(without.map(({ id }) => id).toSorted(), ['event_properties_update'])
  const unlocked = rows.filter(({ on, locks, effect, method }) => {
    const subject = on.at(-1)
    return subject ? !(subject.lock || subject.table) : !locks && method === 'PATCH' && effect === 'update'
  })
  assert.deepEqual(
    unlocked.map(({ id }) => id),
    [],
  )
})

test('If-Match is a list of tags in quotation marks, or *', () => {
  assert.equal(strongTags(' * '), '*')
  assert.deepEqual(strongTags('"a.b", W/"c" ,, "d"'), new Set(['a.b', 'd']))
  assert.deepEqual(strongTags('""'), new Set(['']))
  for (const wrong of ['', ',', 'a', '"a', 'a"', '"a" "b"', '"a b"', 'w/"a"', 'W/a', '*, "a"', '"a", b', "'a'", `"${'a"'.repeat(500)}`])
    assert.throws(
      () => strongTags(wrong),
      (thrown: unknown) => thrown instanceof Failure && thrown.code === 'validation_failed' && thrown.details[0]?.in === 'header',
      wrong,
    )
  const long = `"${'a'.repeat(20_000)}`
  assert.throws(() => strongTags(long), 'in linear time')
})

onEachEngine('Versions', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('every change of a record is made to the version that was read, and refused to another one', async () => {
    const wrong: string[] = []
    for (const row of mostOn(engine, rows, 6)) {
      if (row.id in refusals) continue
      const world = await makeWorldOf(service, row)
      const input = fill(row.examples[0]?.input ?? {}, world)
      const read = readOf(row)
      const get = () => callHttp(service, read, aboutSame(read, input), tokenOf(world, read))
      const call = (tag: string, given = input) => callHttp(service, row, given, tokenOf(world, row), { 'If-Match': tag })
      const first = await get()
      const tag = first.headers.get('etag') ?? ''
      if (!/^"[\w-]{16}\.[\w-]{16}"$/.test(tag)) wrong.push(`${row.id}: ${read.id} has the tag ${tag}`)
      for (const other of ['"other"', '"other.tag", "none"', `W/${tag}`, '""']) {
        const { status, body } = await call(other)
        if (status !== 412 || body.error.code !== 'precondition_failed') wrong.push(`${row.id}: ${status} with ${other}`)
      }
      const malformed = await call(tag.replaceAll('"', ''))
      if (malformed.status !== 422 || malformed.body.error.details[0]?.pointer !== '/If-Match') wrong.push(`${row.id}: ${malformed.text}`)
      if ((await get()).text !== first.text) wrong.push(`${row.id}: something was changed`)
      const made = await call(`W/"weak", "other", ${tag}`)
      if (made.status !== row.status) wrong.push(`${row.id}: ${made.status} ${made.text}`)
      const left = await get()
      if (row.effect === 'update' && row.path === read.path && row.output.title === read.output.title) {
        const [answered, now] = [made.headers.get('etag'), left.headers.get('etag')]
        if (answered?.split('.')[0] !== now?.split('.')[0]) wrong.push(`${row.id}: answers ${answered}, then it is ${now}`)
        if ((await call('*')).status !== row.status) wrong.push(`${row.id}: * is refused`)
      }
      if (row.effect === 'delete' && made.headers.has('etag')) wrong.push(`${row.id}: what is gone has a tag`)
    }
    assert.deepEqual(wrong, [])
  })

  const siteOf = ({ ids }: World) => `/sites/${ids.site}`
  const tagOf = async (world: World, path: string) =>
    (await request(service, 'GET', path, { token: world.token })).headers.get('etag') ?? assert.fail(`${path} has no tag`)
  const patch = (world: World, path: string, body: object, headers: Record<string, string> = {}) =>
    request(service, 'PATCH', path, { token: world.token, body, headers })

  test('of changes that were made to one version at once, one is made', async () => {
    const world = await makeSite(service)
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/dashboards`, {
      token: world.token,
      body: { name: 'Board' },
    })
    for (const path of [
      siteOf(world),
      `/workspaces/${world.ids.workspace}/dashboards/${made.body.data.id}`,
      '/account',
      `/workspaces/${world.ids.workspace}/settings`,
    ]) {
      const tag = await tagOf(world, path)
      const bodyOf = (i: number) =>
        path.endsWith('settings') ? { report_logo_url: `https://example.com/${i}.png` } : { name: `Name ${i}` }
      const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => patch(world, path, bodyOf(i), { 'If-Match': tag })))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412, 412], path)
      const [won] = answers.filter(({ status }) => status === 200)
      assert.equal(won?.headers.get('etag'), await tagOf(world, path), `${path}: the answer has the tag of the next read`)
    }
  })

  test('concurrent changes of different fields are all kept, even without a condition', async () => {
    const world = await makeSite(service)
    const { body } = await request(service, 'POST', `${siteOf(world)}/goals`, {
      token: world.token,
      body: { name: 'Buy', kind: 'event', event: 'purchase' },
    })
    const path = `${siteOf(world)}/goals/${body.data.id}`
    await Promise.all([
      patch(world, path, { name: 'Bought' }),
      patch(world, path, { property: 'plan', value: 'pro' }),
      patch(world, path, { event: 'order' }),
    ])
    const { data } = (await request(service, 'GET', path, { token: world.token })).body
    assert.deepEqual([data.name, data.event, data.property, data.value], ['Bought', 'order', 'plan', 'pro'])
  })

  test('a value that changes by itself makes another ETag for caches, and refuses no change', async () => {
    const world = await makeSite(service)
    const alert = { name: 'Few', kind: 'threshold', site_id: world.ids.site, metric: 'visitors', operator: 'lt', threshold: 10 }
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/alerts`, { token: world.token, body: alert })
    const { id } = made.body.data
    const path = `/alerts/${id}`
    const tag = await tagOf(world, path)
    const at = service.clock.now - 60_000
    await service.store.write.updateTable('alerts').set({ last_evaluated_at: at }).where('id', '=', id).execute()
    assert.notEqual(await tagOf(world, path), tag)
    assert.equal((await patch(world, path, { threshold: 11 }, { 'If-Match': tag })).status, 200)
    assert.equal((await patch(world, path, { threshold: 12 }, { 'If-Match': tag })).status, 412)
  })

  test('a repeated request is answered as the first, though the record is another since', async () => {
    const world = await makeSite(service)
    const path = siteOf(world)
    const headers = { 'If-Match': await tagOf(world, path), 'Idempotency-Key': 'once' }
    const first = await patch(world, path, { name: 'Once' }, headers)
    await patch(world, path, { name: 'Twice' })
    const again = await patch(world, path, { name: 'Once' }, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    const late = { ...headers, 'Idempotency-Key': 'late' }
    assert.equal((await patch(world, path, { name: 'Late' }, late)).status, 412)
    // A refusal claims no key.
    assert.equal(
      (await patch(world, path, { name: 'Late' }, { 'Idempotency-Key': 'late', 'If-Match': await tagOf(world, path) })).status,
      200,
    )
  })

  test('other faults are reported before a condition, and a condition on a record without a version is refused', async () => {
    const world = await makeSite(service)
    const other = { 'If-Match': '"other"' }
    assert.equal((await patch(world, siteOf(world), { name: '' }, other)).status, 422)
    assert.equal((await patch(world, '/sites/pa_00000000000000000000000', { name: 'x' }, other)).status, 404)
    const create = { token: world.token, body: { text: 'Note' }, headers: { 'If-Match': '*' } }
    assert.equal((await request(service, 'POST', `${siteOf(world)}/notes`, create)).status, 412)
    const { body } = await request(service, 'GET', `${siteOf(world)}/notes`, { token: world.token })
    assert.equal(body.meta.total, 0)
  })

  test('a read may have a condition', async () => {
    const world = await makeSite(service)
    const get = (path: string, headers: Record<string, string>) => request(service, 'GET', path, { token: world.token, headers })
    const tag = await tagOf(world, siteOf(world))
    for (const [path, wanted, status] of [
      [siteOf(world), tag, 200],
      [siteOf(world), '*', 200],
      [siteOf(world), '"other"', 412],
      [siteOf(world), tag.replace(/\..*/, '"'), 412],
      [siteOf(world), 'other', 422],
      [`${siteOf(world)}/notes`, '"other"', 412],
    ] as const)
      assert.equal((await get(path, { 'If-Match': wanted })).status, status, `${path} ${wanted}`)
    assert.equal((await get(siteOf(world), { 'If-None-Match': tag })).status, 304)
    assert.equal((await get(siteOf(world), { 'If-None-Match': tag.replace(/"$/, '~br"') })).status, 304, 'of another encoding')
  })
})
