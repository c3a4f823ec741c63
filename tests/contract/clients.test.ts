/**
 * Each example of each operation through the typed client, as it is published, and through the command line: both send
 * the input whole, and hand over what HTTP answers.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isSwitch } from '../../adapters/cli/arguments.ts'
import { runCommand } from '../../adapters/cli/cli.ts'
import { commandsOf, isNullable } from '../../adapters/cli/commands.ts'
import { describeApi, specText } from '../../adapters/openapi/describe.ts'
import { isCalledByClients } from '../../adapters/surfaces.ts'
import { table } from '../../operations/index.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { clientFiles } from '../../scripts/client-files.ts'
import { load } from '../../tools/load.mjs'
import { onAnyEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { recorded } from '../support/sent.ts'
import { fill, makeWorld, makeWorldOf, refusals, startService, type TestService, tokenOf, type World } from '../support/world.ts'

let createClient: (options: object) => Record<string, (input: object) => Promise<unknown>>
before(async () => {
  ;({ createClient } = await load(`data:text/javascript,${encodeURIComponent(clientFiles(table)['client.js'])}`))
})

const api = JSON.parse(specText(describeApi(table)))
const commands = commandsOf(api)

onAnyEngine('the clients', engine => {
  let service: TestService
  /** For reads, which change nothing. */
  let kept: World
  before(async () => {
    service = await startService(engine)
    kept = await makeWorld(service)
  })
  after(() => service.close())
  const worldFor = (row: NamedOperation) => (row.effect === 'read' ? kept : makeWorldOf(service, row))

  for (const row of [...table.operations.values()].filter(isCalledByClients)) {
    for (const [i, example] of row.examples.entries()) {
      if (i > (row.effect === 'read' ? 1 : 0) && !isFull) continue
      test(`${row.id} ${i + 1} is called by the typed client`, async () => {
        const world = await worldFor(row)
        const input = fill(example.input, world)
        const { token, cookie } = shown(row, tokenOf(world, row))
        const { fetch, sent } = recorded(service, cookie)
        const footfall = createClient({ server: 'http://footfall.test', token, fetch })
        const called = footfall[row.id] ?? assert.fail(`the client has no ${row.id}`)
        const answer: { value?: unknown; refused?: any } = await called(input).then(
          value => ({ value }),
          (refused: unknown) => ({ refused }),
        )
        assert.deepEqual(sent.length, 1)
        const [{ method, path, input: arrived, status, answer: answered } = assert.fail()] = sent
        assert.deepEqual([method, path, arrived], [row.method, ...requestOf(row, input)])
        if (row.id in refusals) return assert.deepEqual([answer.refused.name, answer.refused.code], ['FootfallError', refusals[row.id]])
        assert.deepEqual(answer, { value: answered })
        assert.equal(status, row.status)
      })

      if (row.access === 'session') continue // only a browser has one
      if (i > 0 && !isFull) continue
      test(`${row.id} ${i + 1} is called by the command line`, async () => {
        const world = await worldFor(row)
        const input = fill(example.input, world)
        const { fetch, sent } = recorded(service)
        const [out, err]: string[][] = [[], []]
        const env = {
          FOOTFALL_SERVER: 'http://footfall.test',
          FOOTFALL_TOKEN: tokenOf(world, row),
          FOOTFALL_CONFIG: '/nowhere/profiles.json',
        }
        const ended = await runCommand([...wordsOf(row, input), '--json'], {
          env,
          home: '/nowhere',
          columns: undefined,
          timeZone: 'Europe/Berlin',
          out: text => out?.push(text),
          err: text => err?.push(text),
          stdin: async () => '',
          openApi: () => api,
          runProgram: () => undefined,
          browse: () => undefined,
          otherCommands: [],
          fetch,
        })
        const [{ method, path, input: arrived, status, answer: answered } = assert.fail(err?.join('') ?? '')] = sent
        const [asked, fields] = requestOf(row, input)
        const named = Object.entries(fields).map(([name, value]) => [nameIn(row, name), value])
        assert.deepEqual([method, path, arrived], [row.method, asked, Object.fromEntries(named)])
        if (row.id in refusals) return assert.equal(JSON.parse(err?.join('') ?? '').error.code, refusals[row.id])
        assert.deepEqual([ended, status, err], [0, row.status, []])
        assert.deepEqual(JSON.parse(out?.join('') ?? ''), answered ?? null)
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

/** Name of a field of the query in the OpenAPI file. */
const nameIn = ({ method, wireFormat }: NamedOperation, name: string) => (method === 'GET' ? (wireFormat?.names[name] ?? name) : name)

/** The value as a user would type it. */
function wordsOf(row: NamedOperation, input: Record<string, unknown>): string[] {
  const command = commands.find(({ id }) => id === row.id) ?? assert.fail(`${row.id} is not a command`)
  const flags = Object.entries(input).flatMap(([name, value]) => {
    const field = command.fields.find(each => each.name === nameIn(row, name)) ?? assert.fail(`${row.id} has no flag for ${name}`)
    if (typeof value === 'boolean' && isSwitch(field)) return [`--${value ? '' : 'no-'}${field.flag}`]
    if (value === null) assert.ok(isNullable(field.schema))
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text.startsWith('-') ? [`--${field.flag}=${text}`] : [`--${field.flag}`, text]
  })
  return [...command.name.split(' '), ...flags]
}
