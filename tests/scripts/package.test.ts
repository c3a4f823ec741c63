/** The package of `npm pack`, installed and started by a user without write access; and a checkout that builds itself. */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { withDependencies } from '../../scripts/build/licences.ts'
import { bringUpToDate } from '../../scripts/up-to-date.mjs'
import { libraryPath } from '../../storage/dialects/sqlite-library.ts'
import { engines } from '../support/engines.ts'
import { testIfFull } from '../support/full.ts'
import { ordinaryUser } from '../support/postgres.ts'

/** Root can write everywhere, so programs are run as another user. */
const somebody = process.getuid?.() === 0 ? ordinaryUser() : {}
const postgres = engines.find(({ name }) => name === 'postgres')
const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const native = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, PORT: '0', LOG_LEVEL: 'warn' }

let folder: string
/** Installed as npm would: the package and only its own dependencies. */
let installed: string
let listed: string[]

before(async () => {
  assert.equal(bringUpToDate(), undefined)
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-package-'))
  const { stdout } = await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder])
  const [{ filename, files }] = JSON.parse(stdout)
  listed = files.map((file: { path: string }) => file.path)
  installed = path.join(folder, 'node_modules/footfall')
  fs.mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', installed, '--strip-components=1', '--no-same-owner'])
  for (const each of withDependencies(native).filter(each => fs.existsSync(each))) {
    fs.cpSync(each, path.join(folder, each), { recursive: true, filter: file => !/\/deps\/|\/node_modules\/.*\/(src|test)\//.test(file) })
  }
  for (const file of fs.readdirSync(installed, { recursive: true, encoding: 'utf8' })) allow(path.join(installed, file), 0o555)
  allow(installed, 0o555)
  fs.chmodSync(folder, 0o755)
})
after(() => {
  execFileSync('chmod', ['-R', 'u+w', folder])
  fs.rmSync(folder, { recursive: true, force: true })
})

describe('the package', () => {
  test('has what runs, and neither sources nor benchmarks nor tests', () => {
    const folders = new Set(listed.map(file => file.split('/')[0]))
    assert.deepEqual([...folders].sort(), ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json', 'scripts', 'spec'])
    assert.deepEqual(
      listed.filter(file => /(?<!\.d)\.ts$|\.map$|^dist\/(tests|bench|inputs)/.test(file)),
      [],
    )
  })

  test('has the licences of what is in its files', () => {
    const licences = fs.readFileSync(path.join(installed, 'dist/licences.txt'), 'utf8')
    for (const name of ['kysely', 'hono', 'jose', 'web-vitals']) assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
    assert.match(fs.readFileSync(path.join(installed, 'dist/scalar/licences.txt'), 'utf8'), /^@scalar\/api-reference 1\./m)
  })

  test('serves from an empty folder, for a user who may not write to it', async () => {
    const service = await start(path.join(installed, 'dist/footfall.js'), [], emptyFolder())
    try {
      const [, token = '', report = ''] = /curl -H 'Authorization: Bearer (pat_\w+)' '([^']+)'/.exec(service.output()) ?? []
      const headers = { Authorization: `Bearer ${token}` }
      const { status, body } = await get(report, headers) // a report thread answers this
      assert.deepEqual([status, JSON.parse(body).data.metrics.visitors], [200, 0])
      assert.match((await get(`${service.address}/js/footfall.js`)).body, /navigator/)
      assert.match((await get(`${service.address}/js/footfall.vitals.js`)).body, /web-vitals/)
      const [, script = ''] = /src="(docs\/scalar-[\d.]+\.js)"/.exec((await get(`${service.address}/docs`)).body) ?? []
      assert.ok((await get(`${service.address}/${script}`)).body.length > 1_000_000)
      const version = JSON.parse(
        (
          await get(
            `${service.address}/mcp`,
            { 'Content-Type': 'application/json', ...headers },
            JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'initialize',
              params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
            }),
          )
        ).body,
      ).result.serverInfo.version
      assert.equal(version, manifest.version)
    } finally {
      await service.end()
    }
  })

  // That built programs serve on Postgres, tests of crashes show.
  testIfFull('serves on Postgres, again after its end', { skip: !postgres && 'not on Postgres' }, async () => {
    const { url, drop } = (await postgres?.create()) ?? assert.fail()
    const serve = (last?: RegExp) => start(path.join(installed, 'dist/footfall.js'), [], emptyFolder(), { DATABASE_URL: url }, last)
    let [service, headers, report] = [await serve(), {}, '']
    const pageviews = async () => JSON.parse((await get(service.address + report, headers)).body).data.metrics.pageviews
    try {
      const [, token = '', place = ''] = /curl -H 'Authorization: Bearer (pat_\w+)' 'http:\/\/[^/]+([^']+)'/.exec(service.output()) ?? []
      ;[headers, report] = [{ Authorization: `Bearer ${token}` }, place]
      const agent = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' }
      const hit = JSON.stringify({ n: 'pageview', u: 'https://localhost/', d: 'localhost' })
      for (let i = 0; i < 3; i++) assert.equal((await get(`${service.address}/api/event`, agent, hit)).status, 202)
      assert.equal(await pageviews(), 3)
      assert.equal(await service.end(), 0)
      service = await serve(/^Footfall is at/)
      assert.equal(await pageviews(), 3)
    } finally {
      await service.end()
      await drop()
    }
  })

  test('has the other commands, and names them when one is mistyped', () => {
    const run = (...args: string[]) =>
      spawnSync(path.join(installed, 'dist/footfall.js'), args, { cwd: emptyFolder(), env, encoding: 'utf8', ...somebody })
    assert.match(run('token', '--help').stdout, /--workspace <id>/)
    const { status, stderr } = run('tokn')
    assert.deepEqual(
      [status, stderr],
      [
        2,
        'footfall tokn: there is no such command; did you mean token? "footfall help" lists the commands of this machine, "footfall commands" the commands of the API.\n',
      ],
    )
  })

  test('has no more beside it than what cannot be bundled', () => {
    const sizeOf = (folder: string): number =>
      fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map(file => fs.lstatSync(path.join(folder, file)))
        .reduce((sum, { size }) => sum + size, 0)
    const all = sizeOf(path.join(folder, 'node_modules')) - sizeOf(packageOfSqlite())
    assert.ok(all <= 60 * 1024 * 1024, `${(all / 1024 / 1024).toFixed(2)} MB installed`)
  })
})

describe('without the native module of SQLite', () => {
  const missing = async (what: string): Promise<string> => {
    fs.renameSync(what, `${what}-away`)
    try {
      await assert.rejects(start(path.join(installed, 'dist/footfall.js'), [], emptyFolder()), (error: Error) => {
        assert.match(error.message, /^ended with 1\n/)
        return Boolean((said = error.message.replace('ended with 1\n', '')))
      })
      return said
    } finally {
      fs.renameSync(`${what}-away`, what)
    }
  }
  let said = ''
  const expected =
    /^The native module of SQLite \([\w-]+\) is missing or does not fit Node [\d.]+: .+ [Rr]un "npm (ci|rebuild better-sqlite3-12)"[^\n]+\n$/

  test('a start names it, and what to do, where npm left out the package', async () => {
    assert.match(await missing(packageOfSqlite()), expected)
  })

  test('a start also names the missing module if npm has not run its install script', async () => {
    const binaries = ['build', 'prebuilds'].map(name => path.join(packageOfSqlite(), name)).find(each => fs.existsSync(each))
    assert.match(await missing(binaries ?? assert.fail()), expected)
  })

  test('Postgres needs none', { skip: !postgres && 'not on Postgres' }, async () => {
    const { url, drop } = (await postgres?.create()) ?? assert.fail()
    const away = packageOfSqlite()
    fs.renameSync(away, `${away}-away`)
    let service: Awaited<ReturnType<typeof start>> | undefined
    try {
      service = await start(path.join(installed, 'dist/footfall.js'), [], emptyFolder(), { DATABASE_URL: url })
      const [, token = '', report = ''] = /curl -H 'Authorization: Bearer (pat_\w+)' '([^']+)'/.exec(service.output()) ?? []
      assert.equal((await get(report, { Authorization: `Bearer ${token}` })).status, 200)
      assert.equal(await service.end(), 0)
    } finally {
      await service?.end()
      fs.renameSync(`${away}-away`, away)
      await drop()
    }
  })
})

describe('a checkout', () => {
  test('that may not be written to serves what was built, and says that its sources are newer', async () => {
    const checkout = copyCheckout('locked', { packages: path.join(folder, 'node_modules'), isBuilt: true })
    fs.utimesSync(path.join(checkout, 'scripts/serve.ts'), new Date(), new Date(Date.now() + 60_000))
    lock(checkout)
    const service = await start(process.execPath, [path.join(checkout, 'scripts/run.mjs'), 'serve'], emptyFolder())
    assert.equal((await get(`${service.address}/healthz`)).status, 200)
    await service.end()
    assert.match(
      service.errors(),
      /^What is in dist\/ is older than the sources, and this folder cannot be written to: run "npm run build" as its owner\.\n$/,
    )
  })

  test('without dist/ and development packages says what to do', () => {
    const checkout = copyCheckout('bare', { packages: path.join(folder, 'node_modules'), isBuilt: false })
    const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: checkout, env, encoding: 'utf8' })
    const advice = /^Nothing is built.*building takes the development packages.*npm ci.*\n$/
    const started = run('scripts/run.mjs', 'serve')
    assert.equal(started.status, 1)
    assert.match(started.stderr, advice)
    const prepared = run('scripts/prepare.mjs') // npm ci --omit=dev succeeds, since dist/ may be provided later
    assert.equal(prepared.status, 0)
    assert.match(prepared.stderr, advice)
  })

  testIfFull('builds where a source is newer than dist/, and not again', () => {
    const checkout = copyCheckout('worked-on', { packages: path.resolve('node_modules'), isBuilt: true })
    const help = () => spawnSync(process.execPath, ['scripts/run.mjs', 'token', '--help'], { cwd: checkout, env, encoding: 'utf8' })
    const builtAt = () => fs.statSync(path.join(checkout, 'dist/inputs.json')).mtimeMs
    const source = path.join(checkout, 'scripts/token.ts')
    const first = builtAt()
    assert.doesNotMatch(help().stdout, /a workspace of yours/)
    assert.equal(builtAt(), first)
    fs.writeFileSync(source, fs.readFileSync(source, 'utf8').replace('workspace the token is for', 'a workspace of yours'))
    fs.utimesSync(source, new Date(), new Date(first + 1_000))
    const { status, stdout, stderr } = help()
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /a workspace of yours/)
    assert.notEqual(builtAt(), first)
  })
})

/** The folder of the SQLite package for this version of Node. */
function packageOfSqlite(): string {
  const [, name = ''] = /node_modules[\\/](better-sqlite3[^\\/]*)/.exec(libraryPath()) ?? []
  return path.join(folder, 'node_modules', name)
}

/** The files that a build or a start needs. */
function copyCheckout(name: string, { packages, isBuilt }: { packages: string; isBuilt: boolean }): string {
  const checkout = path.join(folder, name)
  const sources: string[] = JSON.parse(fs.readFileSync('dist/inputs.json', 'utf8'))
  for (const file of [...sources, 'package.json', 'scripts/run.mjs', 'scripts/prepare.mjs', 'scripts/up-to-date.mjs']) {
    fs.cpSync(file, path.join(checkout, file), { preserveTimestamps: true })
  }
  if (isBuilt)
    fs.cpSync('dist', path.join(checkout, 'dist'), {
      recursive: true,
      preserveTimestamps: true,
      filter: file => !/dist\/(tests|bench)/.test(file),
    })
  fs.symlinkSync(packages, path.join(checkout, 'node_modules'))
  return checkout
}

function lock(checkout: string): void {
  for (const each of ['', 'dist', 'scripts']) allow(path.join(checkout, each), 0o555)
}

/** Keeps symbolic links, which lead outside. */
function allow(file: string, mode: number): void {
  if (!fs.lstatSync(file).isSymbolicLink()) fs.chmodSync(file, mode)
}

function emptyFolder(): string {
  const empty = fs.mkdtempSync(path.join(folder, 'empty-'))
  if (somebody.uid !== undefined && somebody.gid !== undefined) fs.chownSync(empty, somebody.uid, somebody.gid)
  return empty
}

async function get(url: string, headers: Record<string, string> = {}, body?: string): Promise<{ status: number; body: string }> {
  const response = await fetch(url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) })
  return { status: response.status, body: await response.text() }
}

/** @param last the last line that a start prints */
async function start(program: string, args: readonly string[], cwd: string, more: Record<string, string> = {}, last = /^API reference/) {
  const child = spawn(program, args, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'], ...somebody })
  process.once('exit', () => child.kill('SIGKILL'))
  let [output, errors] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => {
    errors += String(chunk)
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const address = await new Promise<string>((found, failed) => {
    let at: string | undefined
    createInterface({ input: child.stdout }).on('line', line => {
      output += `${line}\n`
      at ??= /^Footfall is at (\S+)/.exec(line)?.[1]
      if (at !== undefined && last.test(line)) found(at)
    })
    void ended.then(code => failed(new Error(`ended with ${code}\n${errors}`)))
  })
  return {
    address,
    output: () => output,
    errors: () => errors,
    end: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
