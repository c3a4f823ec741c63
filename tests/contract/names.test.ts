/** Names of records: cleaned by one rule wherever they come in, and what is shown can be sent back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { oneLine } from '../../runtime/values/one-line.ts'
import { cleanedBy } from '../../runtime/table/schema.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, fill, makeWorld, refusals, request, startService, type TestService, tokenOf } from '../support/world.ts'

test('one line is left, of characters that show', () => {
  const rows = [
    ['Shop', 'Shop'],
    [' two\nlines\u2028or\u2029three\r\n', 'two lines or three'],
    ['a\0b\u0085c', 'a b c'],
    ['txt.\u202egnp\u2066\u200b', 'txt.gnp'],
    ['👩\u200d💻 نام\u200cها', '👩\u200d💻 نام\u200cها'],
    ['\u{e0041}\ufeff\n', ''],
  ] as const
  for (const [given, left] of rows) assert.equal(oneLine(given), left)
})

const isName = ({ input }: NamedOperation): boolean => {
  const { name } = input.properties
  return name !== undefined && [name, ...(name.anyOf ?? [])].some(each => each[cleanedBy])
}
/** Names that senders choose, which are looked up as they were sent. */
const asSent: ReadonlySet<string> = new Set(['events_get', 'events_update', 'events_delete'])

onAnyEngine('names', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  for (const row of table.operations.values()) {
    const { name: schema } = row.input.properties
    if (!schema || schema.type === 'object' || row.effect === 'read' || asSent.has(row.id)) continue
    test(`${row.id}: the name is cleaned, and answered as it was kept`, async () => {
      assert.ok(isName(row), 'declare it with Name() of runtime/table/schema.ts')
      if (row.access === 'session') return // its other inputs come from a browser
      const world = await makeWorld(service)
      const input = { ...fill(row.examples[0]?.input ?? {}, world), name: ' e\u0301\u2028B\u202e\n' }
      const { status, body, text } = await callHttp(service, row, input, tokenOf(world, row))
      if (row.id in refusals) return assert.equal(body.error.code, refusals[row.id])
      assert.equal(status, row.status, text)
      if ('name' in body.data) assert.equal(body.data.name, '\u00e9 B', 'composed')
    })
  }

  test('names that were made of something else can be sent back, however long', async () => {
    const world = await makeWorld(service)
    const { token } = world
    const site = `/sites/${world.ids.site}`
    const label = 'x'.repeat(60)
    const made = [
      [`/workspaces/${world.ids.workspace}/sites`, { domain: `${label}.${label}.${label}.${world.ids.domain}` }, '/sites'],
      [`${site}/goals`, { kind: 'page', path: `/${'g'.repeat(900)}` }, `${site}/goals`],
      [`${site}/uptime`, { url: `https://example.com/${'u'.repeat(1_500)}` }, '/uptime/checks'],
    ] as const
    for (const [at, body, one] of made) {
      const { status, body: answer, text } = await request(service, 'POST', at, { token, body })
      assert.equal(status, 201, text)
      const path = `${one}/${answer.data.id}`
      const shown = (await request(service, 'GET', path, { token })).body.data
      assert.ok(shown.name.length > 200)
      const back = await request(service, 'PATCH', path, { token, body: shown })
      assert.deepEqual([back.status, back.body.data?.name], [200, shown.name], back.text)
    }
  })
})
