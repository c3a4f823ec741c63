/** docs/configuration.md and CONTRIBUTING are held to the code. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { test } from 'node:test'
import { createWeb } from '../../adapters/http/http.ts'
import { createApp } from '../../runtime/app.ts'
import { settings } from '../../runtime/config.ts'
import type { Operation } from '../../runtime/operation.ts'
import { area, defineTable } from '../../runtime/table.ts'
import { engines } from '../support/engines.ts'
import { fill, makeWorld, request, startService } from '../support/world.ts'

test('docs/configuration.md lists every setting with its default and meaning', () => {
  const table = ['| setting | default | |', '|---|---|---|', ...Object.entries(settings).map(([name, row]) =>
    `| \`${name}\` | ${row.default === '' ? '' : `\`${row.default}\``} | ${row.description} |`)].join('\n')
  const page = fs.readFileSync('docs/configuration.md', 'utf8')
  const [, listed] = /<!-- settings -->\n([^]*?)\n<!-- \/settings -->/.exec(page) ?? []
  if (listed !== table && process.env.WRITE_DOCS === '1') {
    fs.writeFileSync('docs/configuration.md', page.replace(/<!-- settings -->\n[^]*?<!-- \/settings -->/, () => `<!-- settings -->\n${table}\n<!-- /settings -->`))
  } else assert.equal(listed, table, 'WRITE_DOCS=1 npm test -- tests/contract/docs.test.ts writes it')
})

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
    const table = defineTable([area('Ages', 'How old things are.', ages)], [], [], [], [], service.app.table.authenticators)
    const app = createApp({ ...service.app, table })
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
