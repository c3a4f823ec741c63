/** The README, the manual and CONTRIBUTING are held to the code. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { test } from 'node:test'
import { createWeb } from '../../adapters/http/http.ts'
import { table } from '../../operations/index.ts'
import { createApp } from '../../runtime/app.ts'
import { settings } from '../../runtime/config.ts'
import { detailCodes, errors } from '../../runtime/errors.ts'
import { meters } from '../../runtime/metrics.ts'
import type { Operation } from '../../runtime/operation.ts'
import { permissionNames, roleNames, roles } from '../../runtime/permissions.ts'
import { area, defineTable } from '../../runtime/table.ts'
import { faultsOf, withDefaults } from '../../runtime/validate.ts'
import { engines } from '../support/engines.ts'
import { fill, makeWorld, request, startService } from '../support/world.ts'

test('docs/configuration.md lists every setting with its default and meaning', () => {
  const rows = ['| setting | default | |', '|---|---|---|', ...Object.entries(settings).map(([name, row]) =>
    `| \`${name}\` | ${row.default === '' ? '' : `\`${row.default}\``} | ${row.description} |`)].join('\n')
  const page = read('docs/configuration.md')
  const [, listed] = /<!-- settings -->\n([^]*?)\n<!-- \/settings -->/.exec(page) ?? []
  if (listed !== rows && process.env.WRITE_DOCS === '1') {
    const written = page.replace(/<!-- settings -->\n[^]*?<!-- \/settings -->/, () => `<!-- settings -->\n${rows}\n<!-- /settings -->`)
    fs.writeFileSync('docs/configuration.md', written)
  } else assert.equal(listed, rows, 'WRITE_DOCS=1 npm test -- tests/contract/docs.test.ts writes it')
})

test('docs/operations.md names every background task and every metric, and none that is gone', () => {
  const page = read('docs/operations.md')
  const tasks = named(page.slice(page.indexOf('## Background tasks')))
  assert.deepEqual([...tasks].filter(name => name.includes('_') && name !== 'RETENTION_DAYS' && name !== 'USAGE_LIMIT').sort(),
    table.tasks.map(({ name }) => name).sort())
  const metrics = named(page)
  assert.deepEqual(Object.keys(meters).filter(name => !metrics.has(name)), [])
})

test('docs/decisions.md has the roles, the codes of errors and the kinds of events that the code has', () => {
  const page = read('docs/decisions.md')
  const names = named(page)
  assert.deepEqual([...Object.keys(errors), ...detailCodes].filter(code => !names.has(code) && !unsaid.has(code)), [])
  assert.deepEqual(table.events.map(({ type }) => type).filter(type => !names.has(type)), [])
  const columns = roleNames.join(' | ')
  assert.ok(page.includes(`| | ${columns} |`), `the columns are ${columns}`)
  for (const permission of permissionNames) {
    const row = page.split('\n').find(line => line.startsWith('| `') && line.includes(`\`${permission}\``)) ?? ''
    const [, , ...cells] = row.split('|').map(cell => cell.trim())
    const held = roleNames.filter((_, i) => cells[i] === '✓')
    assert.deepEqual(held, roleNames.filter(role => roles[role].permissions.some(one => one === permission)), permission)
  }
})
/** Codes of statuses that the page gives without their names. */
const unsaid: ReadonlySet<string> = new Set([
  'method_not_allowed', 'precondition_failed', 'payload_too_large', 'unsupported_media_type',
])

test('every request that the manual shows is one that an operation takes', () => {
  const wrong: string[] = []
  let shown = 0
  for (const file of ['README.md', ...fs.readdirSync('docs').filter(name => name.endsWith('.md')).map(name => `docs/${name}`)]) {
    const commands = read(file).replaceAll('\\\n', ' ').split('\n').filter(line => /^\s*curl /.test(line))
    for (const command of commands) {
      const [, path] = /(?:\$FOOTFALL|:8080)(\/[^\s'?]+)/.exec(command) ?? []
      if (path === undefined) continue
      shown++
      const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? []
      const operation = [...table.operations.values()].find(row => row.method === method && routeOf(row.path).test(path))
      const [, body = '{}'] = /-d '(\{.*?\})'/.exec(command) ?? []
      if (!operation) wrong.push(`${file}: ${method} ${path}`)
      else {
        const { input, unknown } = withDefaults(operation.input, JSON.parse(body))
        wrong.push(...unknown, ...faultsOf(operation.input, input).map(({ message }) => `${file}: ${message}`))
      }
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(shown >= 6, `${shown} requests were found`)
})

test('the picture of the README shows a row as it is declared', () => {
  const picture = read('docs/picture.svg')
  const lines = [...picture.matchAll(/<text class="row"[^>]*>(.*?)<\/text>/g)]
    .map(([, line = '']) => line.replace(/<[^>]*>/g, '').trim())
  assert.ok(lines.length > 4)
  const [id = ''] = /\w+(?= = operation)/.exec(lines[0] ?? '') ?? []
  const sources = fs.readdirSync('operations', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts')).map(file => read(`operations/${file}`))
  const source = sources.find(text => text.includes(`export const ${id} = `)) ?? ''
  const row = source.slice(source.indexOf(`export const ${id} = `)).split('\n})')[0] ?? ''
  assert.deepEqual(lines.filter(line => !row.split('\n').some(one => one.trim() === line)), [])
  assert.ok(read('README.md').includes('docs/picture.svg'))
})

const read = (file: string): string => fs.readFileSync(file, 'utf8')
const routeOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}(\\.json)?$`)
/** What a page sets in the type of code. */
const named = (page: string): Set<string> => new Set([...page.matchAll(/`([^`\n{]+)[^`\n]*`/g)].map(([, name = '']) => name))

test('the example of CONTRIBUTING compiles, and is an operation once it is in the table', async () => {
  const [, file = '', code = ''] = /<!-- example: (\S+) -->\n```ts\n([^]*?)```/.exec(fs.readFileSync('CONTRIBUTING.md', 'utf8')) ?? []
  const folder = file.replace(/\/[^/]*$/, `-${process.pid}`)
  fs.mkdirSync(folder, { recursive: true })
  try {
    const written = `${folder}/operations.ts`
    fs.writeFileSync(written, code)
    const config = JSON.parse(fs.readFileSync('tsconfig.json', 'utf8'))
    fs.writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: { ...config.compilerOptions, typeRoots: ['../../../node_modules/@types'] }, include: ['operations.ts'] }))
    const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', folder], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)

    const ages: Record<string, Operation> = { ...await import(`../../${written}`) }
    const service = await startService(engines[0] ?? assert.fail())
    const world = await makeWorld(service)
    const ofAges = defineTable([area('Ages', 'How old things are.', ages)])
    const app = createApp({ ...service.app, table: ofAges })
    const [[name, row] = assert.fail()] = Object.entries(ages)
    assert.equal(name, 'ages_get')
    const { unit, site_id }: Record<string, unknown> = fill(row.examples[0]?.input ?? {}, world)
    service.clock.now += 7_300_000
    const answer = await request({ ...service, app, web: createWeb(app) }, 'GET', `/sites/${String(site_id)}/age.json?unit=${String(unit)}`, { token: world.token })
    assert.deepEqual([answer.status, answer.body.data], [200, { site_id, age: 2, unit: 'hours' }])
    await app.close()
    await service.close()
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
