/** Each example of each operation through the typed client, as it is published: it sends the input whole, and hands over the answer. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isCalledByClients } from '../../adapters/surfaces.ts'
import { table } from '../../operations/index.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { clientFiles } from '../../scripts/client-files.ts'
import { onEachEngine } from '../support/engines.ts'
import { recorded } from '../support/sent.ts'
import { fill, makeWorld, refusals, startService, type TestService, tokenOf } from '../support/world.ts'

const { createClient } = await import(`data:text/javascript,${encodeURIComponent(clientFiles(table)['client.js'])}`)

onEachEngine('the clients', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  for (const row of [...table.operations.values()].filter(isCalledByClients)) {
    for (const [i, example] of row.examples.entries()) {
      test(`${row.id} ${i + 1} is called by the typed client`, async () => {
        const world = await makeWorld(service)
        const input = fill(example.input, world)
        const { token, cookie } = shown(row, tokenOf(world, row))
        const { fetch, sent } = recorded(service, cookie)
        const footfall = createClient({ server: 'http://footfall.test', token, fetch })
        const answer = await footfall[row.id](input).then(
          (value: unknown) => ({ value }),
          (refused: unknown) => ({ refused }),
        )
        assert.deepEqual(sent.length, 1)
        const [{ method, path, input: arrived, status, answer: answered } = assert.fail()] = sent
        assert.deepEqual([method, path, arrived], [row.method, ...requestOf(row, input)])
        if (row.id in refusals) return assert.deepEqual([answer.refused.name, answer.refused.code], ['FootfallError', refusals[row.id]])
        assert.deepEqual(answer, { value: answered })
        assert.equal(status, row.status)
      })
    }
  }
})

/** A session goes in a cookie, which the browser adds. */
const shown = ({ access }: NamedOperation, secret: string) => (access === 'session' ? { cookie: secret } : { token: secret })

function requestOf({ method, path, pathInput }: NamedOperation, input: Record<string, unknown>): [string, Record<string, unknown>] {
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(pathInput, name))
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return [
    `${path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name]))}.json`,
    Object.fromEntries(method === 'GET' ? rest.map(([name, value]) => [name, asText(value)]) : rest),
  ]
}
