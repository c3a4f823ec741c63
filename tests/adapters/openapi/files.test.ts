/** The committed files: up to date, lint-free, usable for generating a client, and equal to what the server serves. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stop, transform } from 'esbuild'
import { load } from '../../../tools/load.mjs'
import { openapiTS, astToString } from '../../../tools/openapi-typescript.mjs'
import { fileOf, packagesFolder, tools } from '../../../tools/paths.mjs'
import { describeApi, specText } from '../../../adapters/openapi/describe.ts'
import { table } from '../../../operations/index.ts'
import { writeSpec } from '../../../scripts/build/spec-files.ts'
import { engines } from '../../support/engines.ts'
import { exampleOf } from '../../support/example.ts'
import { makeWorld, request, startService, type TestService } from '../../support/world.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const committed = path.join(root, 'spec/openapi.json')
const run = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } })

let folder: string
let service: TestService
before(async () => {
  const cache = path.join(packagesFolder, 'node_modules/.cache') // where the client finds openapi-fetch
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(path.join(cache, 'spec-'))
  const [engine] = engines
  assert.ok(engine)
  service = await startService(engine)
})
after(async () => {
  await stop() // the process of esbuild
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

test('the committed files are those of the table', async () => assert.deepEqual(await writeSpec({ check: true }), []))

test('a stale file is named and fails the check; writing repairs it', async () => {
  await writeFile(path.join(folder, 'client.js'), 'old')
  assert.deepEqual(await writeSpec({ out: folder }), [])
  assert.equal(await readFile(path.join(folder, 'openapi.json'), 'utf8'), specText(describeApi(table)))
  for (const name of ['client.js', 'client.d.ts'])
    assert.equal(await readFile(path.join(folder, name), 'utf8'), await readFile(path.join(root, 'spec', name), 'utf8'))
  await writeFile(path.join(folder, 'tools.json'), '{}\n')
  await rm(path.join(folder, 'client.d.ts'))
  const stale = await writeSpec({ check: true, out: folder })
  assert.deepEqual(stale.sort(), ['spec/client.d.ts is stale: run "npm run spec"', 'spec/tools.json is stale: run "npm run spec"'])
})

test('Redocly finds neither an error nor a warning', () => {
  const { stdout, stderr } = run(
    [fileOf('@redocly/cli', 'bin/cli.js'), 'lint', committed, '--extends', 'recommended', '--format', 'json'],
    { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  )
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  assert.deepEqual(
    problems.map(({ message }: { message: string }) => message),
    [],
    stderr,
  )
  assert.equal(totals.errors + totals.warnings, 0)
})

const shown = exampleOf(path.join(root, 'docs/api.md'))
const client = `
import createClient from 'openapi-fetch'
import type { components, paths } from './footfall.ts'

type Site = components['schemas']['Site']

export async function use(fetch: (request: Request) => Promise<Response>, token: string, workspace: string) {
  const headers = { Authorization: 'Bearer ' + token }
  const api = createClient<paths>({ baseUrl: 'http://footfall.test', fetch, headers })
  const params = { path: { workspace_id: workspace } }
  const body = { domain: 'client.example.com', currency: 'EUR' }
  const made = await api.POST('/workspaces/{workspace_id}/sites.json', { params, body })
  const site: Site | undefined = made.data?.data
  const { data } = await api.GET('/workspaces/{workspace_id}/sites.json', {
    params: { ...params, query: { search: 'client', per_page: 5 } },
  })
  const total: number | undefined = data?.meta.total
  const { error } = await api.GET('/sites/{site_id}.json', { params: { path: { site_id: 'pa_unknown' } } })
  const code: string | undefined = error?.error.code
  await api.DELETE('/sites/{site_id}.json', { params: { path: { site_id: site?.id ?? '' } }, body: { confirm: site?.domain ?? '' } })
  return { domain: site?.domain, total, code }
}

export async function filtered(fetch: (request: Request) => Promise<Response>, token: string, site_id: string) {
  const baseUrl = 'http://footfall.test'
  ${shown.slice(shown.indexOf('const client')).replace('{ baseUrl,', '{ baseUrl, fetch,')}
  return data?.meta.filters
}

export const refused = (api: ReturnType<typeof createClient<paths>>) => [
  () => api.POST('/workspaces/{workspace_id}/sites.json', {
    params: { path: { workspace_id: '' } },
    // @ts-expect-error a domain is required
    body: { name: 'x' },
  }),
  // @ts-expect-error there is no such path
  () => api.GET('/nowhere.json'),
]
`

test('openapi-typescript makes a client that compiles and gets answers, as docs/api.md has it too', async () => {
  await writeFile(path.join(folder, 'footfall.ts'), astToString(await openapiTS(pathToFileURL(committed))))
  const file = path.join(folder, 'client.ts')
  await writeFile(file, client)
  const asShown = path.join(folder, 'shown.ts')
  await writeFile(asShown, `${shown}\nexport const metrics = data?.data.metrics`)
  const { status, stdout } = run([
    ...tools.tsc(),
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--types',
    'node',
    file,
    asShown,
  ])
  assert.equal(stdout, '')
  assert.equal(status, 0)
  const { token, ids } = await makeWorld(service)
  const built = path.join(folder, 'client.mjs')
  await writeFile(built, (await transform(client, { loader: 'ts' })).code)
  const { use, filtered } = await load(pathToFileURL(built).href)
  const fetch = async (each: Request) => service.web.request(each)
  assert.deepEqual(await use(fetch, token, ids.workspace), { domain: 'client.example.com', total: 1, code: 'not_found' })
  assert.deepEqual(await filtered(fetch, token, ids.site), [{ condition: ['country', 'is', 'DE'], from: 'filters', narrows: [] }])
})

test('the server serves the committed bytes to anyone, and 304 to whom has them', async () => {
  const { status, text, headers } = await request(service, 'GET', '/openapi.json')
  assert.equal(status, 200)
  assert.equal(text, await readFile(committed, 'utf8'))
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  const tag = headers.get('etag') ?? ''
  assert.match(tag, /^"[\w-]{22}"$/)
  const again = await request(service, 'GET', '/openapi.json', { headers: { 'If-None-Match': tag } })
  assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag])
  assert.equal(again.headers.get('access-control-allow-origin'), '*')
  const other = await request(service, 'GET', '/openapi.json', { headers: { 'If-None-Match': '"other"' } })
  assert.equal(other.status, 200)
})

test('other methods are refused, and a page elsewhere may ask first', async () => {
  const refused = await request(service, 'POST', '/openapi.json')
  assert.equal(refused.status, 405)
  assert.match(refused.headers.get('allow') ?? '', /GET/)
  const asked = await request(service, 'OPTIONS', '/openapi.json', {
    headers: {
      Origin: 'https://elsewhere.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match',
    },
  })
  assert.equal(asked.status, 204)
  assert.equal(asked.headers.get('access-control-allow-methods'), 'GET')
})
