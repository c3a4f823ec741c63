/** The commands, run as a user would. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { onEachEngine } from '../support/engines.ts'
import { startProcess } from '../support/process.ts'

const run = promisify(execFile)
const script = (name: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  run(process.execPath, ['scripts/run.mjs', name, ...args], { env: { ...process.env, ...env } })
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

onEachEngine('the commands', engine => {
  test('set up, make a token, start, send, read back, and go down whole', async () => {
    const { url, drop } = await engine.create()
    const env = { DATABASE_URL: url }
    const wish = ['--email', 'owner@example.com', '--workspace', 'Acme', '--site', 'example.com', '--timezone', 'Europe/Berlin', '--json']
    const first = JSON.parse((await script('setup', wish, env)).stdout)
    assert.deepEqual(Object.keys(first), ['workspace_id', 'site_id', 'token'])
    const again = JSON.parse((await script('setup', wish, env)).stdout)
    assert.deepEqual([again.workspace_id, again.site_id], [first.workspace_id, first.site_id])
    assert.notEqual(again.token, first.token)

    const narrow = JSON.parse(
      (await script('token', ['--workspace', first.workspace_id, '--permissions', 'analytics.read', '--json'], env)).stdout,
    )
    assert.match(narrow.token, /^pat_/)

    const service = await startProcess(url)
    assert.doesNotMatch(service.output(), /pat_/, 'a token is shown once, on an empty database')
    const get = (path: string, token: string) => fetch(`${service.address}${path}`, { headers: { Authorization: `Bearer ${token}` } })
    assert.equal((await get('/healthz', '')).status, 200)
    assert.equal((await get('/readyz', '')).status, 200)
    for (const token of [first.token, again.token, narrow.token])
      assert.equal((await get(`/sites/${first.site_id}.json`, token)).status, 200)
    assert.equal(
      (
        await fetch(`${service.address}/sites/${first.site_id}.json`, {
          method: 'PATCH',
          headers: { Authorization: `Bearer ${narrow.token}`, 'Content-Type': 'application/json' },
          body: '{"name":"x"}',
        })
      ).status,
      403,
    )

    // A hit sent at the time of SIGTERM is stored and answered, or refused.
    const hits = Array.from({ length: 50 }, (_, i) =>
      fetch(`${service.address}/api/event`, {
        method: 'POST',
        headers: { 'User-Agent': agent, 'X-Forwarded-For': `81.2.69.${i}` },
        body: JSON.stringify({ n: 'pageview', u: `https://example.com/${i}`, d: 'example.com' }),
      }).then(
        answer => answer.status,
        () => 0,
      ),
    )
    await Promise.race(hits)
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    const accepted = (await Promise.all(hits)).filter(status => status === 202).length
    assert.ok(accepted > 0)

    const next = await startProcess(url)
    const report = await fetch(`${next.address}/sites/${first.site_id}/stats/aggregate.json?period=today`, {
      headers: { Authorization: `Bearer ${first.token}` },
    })
    assert.equal(((await report.json()) as { data: { metrics: { pageviews: number } } }).data.metrics.pageviews, accepted)
    await next.end('SIGTERM')
    await drop()
  })
})

test('an empty database gets an owner, a workspace, a site and a token, shown once', async () => {
  const folder = mkdtempSync('/tmp/footfall-first-')
  const service = await startProcess(`file:${folder}/data/new.db`)
  await new Promise(resolve => setTimeout(resolve, 200))
  const output = service.output()
  for (const shown of [
    /ws_\w+/,
    /pa_\w+/,
    /pat_\w{36}/,
    /<script defer data-domain="localhost" src="http:\/\/127\.0\.0\.1:\d+\/js\/footfall\.js"><\/script>/,
    /curl -H/,
    /"mcpServers"/,
  ])
    assert.match(output, shown)
  const [, token = '', url = ''] = /curl -H 'Authorization: Bearer (pat_\w+)' '([^']+)'/.exec(output) ?? []
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 200)
  await service.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

test('a first start that finds its port taken leaves the database empty, so that the next one shows the token', async () => {
  const folder = mkdtempSync('/tmp/footfall-first-')
  const url = `file:${folder}/new.db`
  const other = net.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as net.AddressInfo
  const env = { DATABASE_URL: url, HOST: '127.0.0.1', PORT: String(port) }
  await assert.rejects(script('serve', [], env), /cannot be listened on/)
  other.close()
  const service = await startProcess(url)
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.match(service.output(), /pat_\w{36}/)
  await service.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

test('a wrong setting stops the start with one clear line that does not repeat the value', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'serve'], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: 'mysql://root:hunter2@db', PORT: '99999', TRUSTED_PROXIES: '10.0.0.0/99' },
  })
  assert.deepEqual([status, stdout], [1, ''])
  assert.equal(
    stderr,
    'Configuration: DATABASE_URL must be "file:…" or "postgres://…"; PORT must be a whole number from 0 to 65535; TRUSTED_PROXIES must be a comma list of IP addresses and CIDR ranges\n',
  )
})

test('a database that is not there stops the start with one clear line', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'serve'], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none', PORT: '0' },
  })
  assert.equal(status, 1)
  assert.match(stderr, /^The database at DATABASE_URL cannot be used: .*\n$/)
  assert.doesNotMatch(stderr, /hunter2/)
})
