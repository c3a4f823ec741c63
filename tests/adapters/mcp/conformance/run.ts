/**
 * `npm run conformance`: the protocol's own suite against this service, once for each of its two eras. Needs the npm
 * registry. Scenarios that do not apply stand with their reasons in the lists beside this file; one that fails and is not
 * there ends this with 1, as does one that is there and passes.
 */
import { spawn } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { table } from '../../../../operations/index.ts'
import { defineTable } from '../../../../runtime/table/table.ts'
import { engines } from '../../../support/engines.ts'
import { makeWorld, startService } from '../../../support/world.ts'
import { listen } from '../served.ts'
import { fixtures } from './fixtures.ts'

/** The suite runs on Node 22 and newer. */
const packages = ['node@22', '@modelcontextprotocol/conformance@0.2.0-alpha.12']
const [engine] = engines
if (!engine) throw new Error('there is no engine to run on')

// The suite cannot send a token: a server in front of the service adds it, under the name that the service knows itself by.
const front = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${world.token}` }
  const { port } = served.url
  const passed = http.request({ host: '127.0.0.1', port, path: request.url, method: request.method, headers }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  request.pipe(passed)
})
await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
const address = `http://localhost:${(front.address() as AddressInfo).port}`
const service = await startService(engine, { BASE_URL: address }, defineTable([...table.areas, fixtures]))
const world = await makeWorld(service)
const served = await listen(service)

const codes: number[] = []
for (const revision of ['2025-11-25', '2026-07-28']) {
  const known = fileURLToPath(new URL(`${revision}.yml`, import.meta.url))
  const args = ['server', '--url', `${address}/mcp`, '--requirements', revision, '--expected-failures', known]
  codes.push(await run('npx', ['--yes', ...packages.flatMap(name => ['--package', name]), 'conformance', ...args]))
}
front.close()
await served.close()
await service.close()
process.exitCode = Math.max(...codes)

function run(command: string, args: readonly string[]): Promise<number> {
  // In a folder without packages of its own, so that the packages of the suite are used.
  const child = spawn(command, args, { stdio: 'inherit', cwd: os.tmpdir() })
  return new Promise(resolve => child.on('close', code => resolve(code ?? 1)))
}
