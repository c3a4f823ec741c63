/**
 * Somebody who is signed in, at every operation: by role, on its page and by its form, as the declaration says; and
 * nowhere else, since a cookie alone opens neither the API nor MCP.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hasForm, hasPage } from '../../adapters/surfaces.ts'
import { filled } from '../../runtime/ui/words.ts'
import { table } from '../../operations/index.ts'
import { type Role, roleNames } from '../../runtime/table/permissions.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { onAnyEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { callTool } from '../support/mcp.ts'
import {
  callHttp,
  fill,
  makeWorld,
  makeWorldOf,
  ownPage,
  type Reply,
  request,
  startService,
  type TestService,
  type World,
} from '../support/world.ts'
import { fieldsOf } from './fields.ts'
import { mayCall, rolesAt } from './permitted.ts'

const rows = [...table.operations.values()]
/** What takes a session alone is called by scripts of our pages; `access.test.ts` has it. */
const onPages = rows.filter(row => hasPage(row) || hasForm(row) || (row.form && row.access !== 'session' && row.access !== 'public'))
const signIn = table.pages.find(({ signsIn }) => signsIn)?.route.slice('GET '.length) ?? assert.fail('there is no page to sign in')

onAnyEngine('sessions', engine => {
  let service: TestService
  /** For calls that change nothing: refused ones and reads. */
  let kept: World
  const sessions = new Map<Role, string>()
  before(async () => {
    service = await startService(engine)
    kept = await makeWorld(service)
    for (const role of roleNames) sessions.set(role, await kept.sessionFor(role))
  })
  after(() => service.close())
  const sessionOf = (role: Role): string => sessions.get(role) ?? assert.fail(`no session of ${role}`)

  /** As a browser asks for the page, or sends the form. */
  const browse = (row: NamedOperation, world: World, cookie: string | undefined, from: Readonly<Record<string, string>> = ownPage) => {
    const input = fill(row.examples[0]?.input ?? {}, world)
    const path = filled(row.path, Object.fromEntries(Object.keys(row.pathInput).map(name => [name, String(input[name])])))
    const headers = { Accept: 'text/html,*/*;q=0.8', ...(cookie !== undefined && { Cookie: `session=${cookie}` }), ...from }
    if (hasPage(row)) return request(service, 'GET', `${path}?${new URLSearchParams(fieldsOf(row, input))}`, { headers })
    return request(service, 'POST', `${path}?_method=${row.method}`, {
      body: String(new URLSearchParams(fieldsOf(row, input))),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    })
  }

  for (const row of onPages) {
    test(`${row.id}: roles are let in or refused on its page, as the table says`, async () => {
      // After a deletion, the next role finds nothing.
      let own: Promise<World> | undefined
      const changeable = () => (row.effect === 'delete' ? makeWorldOf(service, row) : (own ??= makeWorldOf(service, row)))
      for (const role of rolesAt(row)) {
        const may = mayCall(row, role)
        const isKept = !may || hasPage(row)
        const world = isKept ? kept : await changeable()
        const answer = await browse(row, world, isKept ? sessionOf(role) : await world.sessionFor(role))
        assert.match(answer.headers.get('content-type') ?? (answer.status === 303 ? 'text/html' : ''), /^text\/html/, `${role}: no page`)
        if (may && answer.status === 404) {
          // What is one person's own, another does not find. A program in the same role is told the same.
          const program = await callHttp(service, row, fill(row.examples[0]?.input ?? {}, world), await world.tokenFor(role))
          assert.equal(program.status, 404, `${role} is not let in: ${told(answer)}`)
        } else if (may) assert.ok(isLetIn(answer), `${role} is not let in: ${told(answer)}`)
        else assert.equal(answer.status, 403, `${role} is not refused: ${told(answer)}`)
      }
    })

    test(`${row.id}: on pages nobody is let in without a session, by one that is not known, or from another origin`, async () => {
      const cookies = [undefined, 'x'.repeat(43)]
      for (const cookie of cookies.filter((_, at) => isFull || at === onPages.indexOf(row) % cookies.length)) {
        const answer = await browse(row, kept, cookie)
        assert.ok(isSentToSignIn(answer), told(answer))
      }
      if (hasPage(row)) return
      const elsewhere: Record<string, string>[] = [
        {},
        { Origin: 'https://evil.example' },
        { Origin: 'http://footfall.test', 'Sec-Fetch-Site': 'cross-site' },
      ]
      for (const from of elsewhere.filter((_, at) => isFull || at === onPages.indexOf(row) % elsewhere.length)) {
        const answer = await browse(row, kept, sessionOf('owner'), from)
        assert.equal(answer.status, 403, told(answer))
      }
    })
  }

  test('no operation that requires a token accepts a cookie, at its path or by MCP', async () => {
    for (const row of rows) {
      if (row.access === 'session' || (row.access === 'public' && !row.credential)) continue
      const input = fill(row.examples[0]?.input ?? {}, kept)
      const signedIn = await callHttp(service, row, input, sessionOf('owner'))
      assert.deepEqual([row.id, signedIn.status, signedIn.body.error.code], [row.id, 401, 'authentication_required'])
      const tool = await callTool(service, row.id, input, undefined, { Cookie: `session=${sessionOf('owner')}`, ...ownPage })
      assert.equal(tool.status, 401, row.id)
    }
  })
})

const isSentToSignIn = ({ status, headers }: Reply): boolean => status === 303 && (headers.get('location') ?? '').startsWith(`${signIn}?`)
const isLetIn = (answer: Reply): boolean => !isSentToSignIn(answer) && ![401, 403, 405, 415].includes(answer.status) && answer.status < 500
const told = ({ status, headers, text }: Reply): string =>
  `${status} ${headers.get('location') ?? ''} ${text
    .replace(/^[^]*<main/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 300)}`
