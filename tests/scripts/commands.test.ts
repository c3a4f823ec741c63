/** The commands, run as a user would; those that end by themselves in this process (tests/support/command.ts), besides some examples. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../runtime/tasks/tasks.ts'
import { summaries } from '../../scripts/command-names.ts'
import { ranHere } from '../support/command.ts'
import { noonZone } from '../support/noon-zone.ts'
import { onAnyEngine } from '../support/engines.ts'
import { someOf } from '../support/full.ts'
import { startProcess } from '../support/process.ts'
import { openFile } from '../../storage/dialects/sqlite-library.ts'

const run = promisify(execFile)
const script = (name: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  run(process.execPath, ['scripts/run.mjs', name, ...args], { env: { ...process.env, ...env } })
const ran = (name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ['scripts/run.mjs', name, ...args], { encoding: 'utf8', env: { ...process.env, ...env } })
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

onAnyEngine('the commands', engine => {
  test('set up, make a token, start, send, read back, and go down whole', async () => {
    const { url, drop } = await engine.create()
    const env = { DATABASE_URL: url }
    const wish = ['--email', 'owner@example.com', '--workspace', 'Acme', '--site', 'example.com', '--timezone', noonZone(), '--json']
    const first = JSON.parse((await ranHere('setup', wish, env)).stdout)
    assert.deepEqual(Object.keys(first), ['workspace_id', 'site_id', 'token', 'sign_in'])
    const again = JSON.parse((await ranHere('setup', wish, env)).stdout)
    assert.deepEqual([again.workspace_id, again.site_id], [first.workspace_id, first.site_id])
    assert.notEqual(again.token, first.token)

    const narrow = JSON.parse(
      (await ranHere('token', ['--workspace', first.workspace_id, '--permissions', 'analytics.read', '--json'], env)).stdout,
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

test('a first start that finds its port taken leaves the database empty; the next one makes an owner, a workspace, a site and a token, shown once', async () => {
  const folder = mkdtempSync('/tmp/footfall-first-')
  const database = `file:${folder}/data/new.db`
  const other = net.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as net.AddressInfo
  const env = { DATABASE_URL: database, HOST: '127.0.0.1', PORT: String(port) }
  await assert.rejects(script('serve', [], env), /could not listen on/)
  other.close()
  const service = await startProcess(database)
  await until(() => service.output().includes('"mcpServers"'))
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

test('a database that cannot be used stops the start with one clear line that names it, without its password', async () => {
  const folder = mkdtempSync('/tmp/footfall-wrong-')
  writeFileSync(`${folder}/text.db`, 'this is text, and long enough that SQLite reads it as a file of its own')
  const start = async (url: string) => {
    const { status, stderr } = await ranHere('serve', [], { DATABASE_URL: url, PORT: '0' })
    assert.equal(status, 1)
    return stderr
  }
  assert.equal(
    await start(`file:${folder}/text.db`),
    `The database at DATABASE_URL (${folder}/text.db) cannot be used: file is not a database\n`,
  )
  assert.equal(await start(`file:${folder}`), `The database at DATABASE_URL (${folder}) cannot be used: unable to open database file\n`)
  assert.match(await start(`file:${folder}/text.db/100%.db`), /^The database at DATABASE_URL \(.*100%\.db\) cannot be used: .*\n$/)
  const away = await start('postgres://nobody:hunter2@127.0.0.1:1/none')
  assert.match(away, /^The database at DATABASE_URL \(postgres:\/\/127\.0\.0\.1:1\/none\) cannot be used: .*\n$/)
  rmSync(folder, { recursive: true, force: true })
})

test('--help says what there is, with every setting, and starts nothing', async () => {
  const { status, stdout, stderr } = ran('serve', ['--help'])
  assert.deepEqual([status, stderr], [0, ''])
  for (const shown of [/--role <role>/, /DATABASE_URL +Address of the database/, /RETENTION_DAYS/, /default: 8080/])
    assert.match(stdout, shown)
  assert.match((await ranHere('serve', ['--rolle', 'web'])).stderr, /unknown option '--rolle'/)
  const all = spawnSync(process.execPath, ['dist/footfall.js', '--help'], { encoding: 'utf8' })
  assert.equal(all.status, 0)
  for (const name of ['serve', 'setup', 'token', 'sign-in-link', 'backup', 'restore', 'import', 'probe', 'crawlers', 'demo'])
    assert.match(all.stdout, new RegExp(`^  ${name} `, 'm'))
})

test('the help of every command has examples, named as it was called, and so has that of its parts', async () => {
  const help = (...words: string[]) => spawnSync(process.execPath, ['dist/footfall.js', ...words, '--help'], { encoding: 'utf8' }).stdout
  for (const name of someOf(Object.keys(summaries), 1))
    assert.match(help(name), new RegExp(`\nExamples:\n  # .+\n  footfall ${name}( |\n)`), name)
  for (const name of someOf(['login', 'profile', 'completion'], 1))
    assert.match(help(name), new RegExp(`\nExamples:\n(.*\n)*.*footfall ${name} `), name)
  assert.match(help('keys', 'reseal'), /Examples:\n(.*\n)+ {2}footfall keys reseal\n/)
  assert.match((await ranHere('keys', ['--help'])).stdout, /Examples:\n(.*\n)+ {2}npm run keys -- reseal\n/)
})

test('a token is for the only workspace; where there are several they are listed, and setup says that it made another', async () => {
  const folder = mkdtempSync('/tmp/footfall-workspaces-')
  const env = { DATABASE_URL: `file:${folder}/new.db` }
  const setup = (email: string, site: string) => ranHere('setup', ['--email', email, '--workspace', 'Acme', '--site', site, '--json'], env)
  assert.match((await ranHere('token', [], env)).stderr, /^There is no workspace yet/)
  const first = await setup('a@example.com', 'example.com')
  assert.equal(first.stderr, '')
  const { workspace_id } = JSON.parse(first.stdout)
  assert.match((await ranHere('token', [], env)).stdout, /^pat_\w{36}\n$/)
  assert.equal((await setup('a@example.com', 'shop.example.com')).stderr, '', 'the same person has a workspace of this name')

  const second = await setup('b@example.com', 'example.org')
  const line = new RegExp(`^  ${workspace_id}  Acme  \\(a@example.com\\)$`, 'm')
  assert.match(second.stderr, /^Made a new workspace "Acme", as b@example\.com was in none of this name\./)
  assert.match(second.stderr, line)
  for (const args of [[], ['--workspace', 'ws_nowhere']]) {
    const { status, stderr, stdout } = await ranHere('token', args, env)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, line)
    assert.match(stderr, new RegExp(JSON.parse(second.stdout).workspace_id))
  }
  rmSync(folder, { recursive: true, force: true })
})

test('a link to sign in is printed only for a person with an account', async () => {
  const folder = mkdtempSync('/tmp/footfall-link-')
  const env = { DATABASE_URL: `file:${folder}/new.db`, BASE_URL: 'https://stats.example.com' }
  const made = JSON.parse((await ranHere('setup', ['--email', 'a@example.com', '--site', 'example.com', '--json'], env)).stdout)
  assert.match(made.sign_in, /^https:\/\/stats\.example\.com\/links\/[\w-]{43}$/)
  const link = await ranHere('sign-in-link', ['--email', 'A@example.com', '--reset-two-factor'], env)
  assert.match(link.stdout, /^https:\/\/stats\.example\.com\/links\/[\w-]{43}\n$/)
  assert.notEqual(link.stdout.trim(), made.sign_in)
  const none = await ranHere('sign-in-link', ['--email', 'b@example.com'], env)
  assert.deepEqual([none.status, none.stdout, none.stderr], [1, '', 'No account has the address b@example.com\n'])
  rmSync(folder, { recursive: true, force: true })
})

test('the demo is served again from its folder, and other databases are not touched', async () => {
  const folder = mkdtempSync('/tmp/footfall-demo-')
  const demo = (name: string) => ranHere('demo', ['--fill-only', '--hits', '1000'], { DATABASE_URL: `file:${folder}/${name}.db` })
  const made = JSON.parse((await demo('demo')).stdout)
  const database = openFile(`${folder}/demo.db`)
  const { ends } = database.prepare('select max(expires_at) as ends from one_time_links').get() as { ends: number }
  assert.ok(ends > Date.now(), 'its link is not over already')
  database.prepare("update accounts set email = 'ada@example.com'").run() // as who signs in by the link does
  database.close()
  const again = await demo('demo')
  const there = JSON.parse(again.stdout)
  assert.deepEqual([there.workspace_id, there.site_id], [made.workspace_id, made.site_id])
  assert.match(there.token, /^pat_/)
  assert.match(
    again.stderr,
    /^An earlier run created this demo, which has hits until \d{4}-\d\d-\d\d\. npm run demo -- --fresh creates a new one\.\n$/,
  )

  const env = { DATABASE_URL: `file:${folder}/mine.db` }
  await ranHere('setup', ['--email', 'a@example.com', '--site', 'example.com'], env)
  const { status, stderr } = await demo('mine')
  assert.equal(status, 1)
  assert.match(stderr, /something other than a demo:\n {2}ws_\w+ {2}My workspace {2}\(a@example\.com\)\n/)
  assert.ok(stderr.includes(`DATABASE_URL=file:${folder}/mine.db npm start serves it.`), stderr)
  rmSync(folder, { recursive: true, force: true })
})

test('affiliates are listed with the amounts that are payable, in their currencies, and nothing they wrote steers a terminal', async () => {
  const folder = mkdtempSync('/tmp/footfall-affiliates-')
  const env = { DATABASE_URL: `file:${folder}/new.db` }
  await ranHere('setup', ['--email', 'a@example.com', '--site', 'example.com'], env)
  assert.equal((await ranHere('affiliates', [], env)).stdout, 'Nobody has applied.\n')
  const database = openFile(`${folder}/new.db`)
  const { id } = database.prepare('select id from accounts').get() as { id: string }
  const affiliate = database.prepare(
    "insert into affiliates (account_id, status, code, payout_method, message, applied_at) values (?, 'pending', 'abc', 'transfer', ?, 0)",
  )
  affiliate.run(id, 'Hello\n\u001b[2Jthere')
  const commission = database.prepare(
    `insert into affiliate_commissions (id, affiliate_id, workspace_id, invoice_id, kind, status, amount_cents, basis_cents, currency, percent,
       earned_at, due_at, created_at) values (?, ?, 'ws', 'in', 'commission', 'approved', 12000, 60000, ?, 20, 0, 0, 0)`,
  )
  for (const currency of ['EUR', 'JPY']) commission.run(currency, id, currency)
  database.close()
  const { stdout } = await ranHere('affiliates', ['list'], env)
  assert.match(stdout, /€120\.00 payable/)
  assert.match(stdout, /¥12,000 payable/)
  assert.match(stdout, /^ {4}Hello\n {4}\[2Jthere$/m)
  rmSync(folder, { recursive: true, force: true })
})

test('wrong arguments end as wrong arguments of a call do, and a similar word is suggested for a mistyped one', async () => {
  const { status, stderr } = await ranHere('affiliates', ['pya'])
  assert.deepEqual([status, stderr], [2, "error: unknown command 'pya'\n(Did you mean pay?)\n"])
  assert.equal((await ranHere('backup', [])).status, 2)
  assert.match((await ranHere('plans', ['--help'])).stdout, /^Usage: npm run plans -- \[options\]/)
})
