/**
 * The image and the unit of systemd, run with what they declare: the user, the environment, what may be written to. There,
 * and nowhere else, the service keeps everything: its database, its key, uploads, exports and backups.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { bringUpToDate } from '../../scripts/up-to-date.mjs'
import { engines } from '../support/engines.ts'
import { someOf } from '../support/full.ts'
import { inJail, type Jail, noJail } from '../support/jail.ts'
import { freePort } from '../support/ports.ts'
import { endProcess } from '../support/process.ts'

const lines = fs
  .readFileSync('Dockerfile', 'utf8')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
const image = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))
const directives = (name: string) => image.filter(line => line.startsWith(`${name} `)).map(line => line.slice(name.length + 1))
const variables = (text: string) => Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))
const copied = directives('COPY').flatMap(line => [...line.matchAll(/\/app\/(\S+)/g)].map(([, name = '']) => name))

const unit = /```ini\n# \/etc\/systemd\/system\/footfall\.service\n(.*?)```/s.exec(fs.readFileSync('docs/install.md', 'utf8'))?.[1] ?? ''
const of = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
const isOn = (name: string) => of(name).includes('true')

/** Runs the health check of the image on this port. @returns the exit code */
async function health(port: number): Promise<number | null> {
  const [, command = ''] = /CMD (\[.*\])$/.exec(String(directives('HEALTHCHECK'))) ?? []
  const [, ...args]: string[] = JSON.parse(command)
  const [code] = await once(spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'inherit' }), 'exit')
  return code
}

interface Place {
  /** Inside. */
  readonly data: string
  readonly argv: readonly string[]
  readonly jail: (data: string) => Jail
}

const USER = 4711
const places: Readonly<Record<string, Place>> = {
  // As `docker run --cap-drop ALL --read-only`, without a /tmp.
  'the image': {
    data: String(directives('VOLUME')),
    argv: JSON.parse(String(directives('CMD'))),
    jail: data => ({
      has: Object.fromEntries(copied.map(name => [`${directives('WORKDIR')}/${name}`, name])),
      writable: { [String(directives('VOLUME'))]: data },
      user: Number(String(directives('USER')).split(':')[0]),
      env: variables(directives('ENV').join(' ')),
      cwd: String(directives('WORKDIR')),
    }),
  },
  // ProtectSystem=strict, ProtectHome=true: only the state directory and a private /tmp can be written to.
  'the unit of systemd': {
    data: `/var/lib/${of('StateDirectory')}`,
    argv: String(of('ExecStart')).split(' '),
    jail: data => ({
      has: Object.fromEntries(copied.map(name => [`${of('WorkingDirectory')}/${name}`, name])),
      writable: { [`/var/lib/${of('StateDirectory')}`]: data },
      temporary: isOn('PrivateTmp') ? ['/tmp', '/var/tmp'] : [],
      user: USER, // without an entry in /etc/passwd, so without a home
      env: variables(of('Environment').join(' ')),
      cwd: String(of('WorkingDirectory')),
    }),
  },
}

const skip = noJail || (!engines.some(({ name }) => name === 'sqlite') && 'one engine is enough')

describe('in the sandbox of', { skip }, () => {
  let folder: string
  const running = new Set<ChildProcess>()
  const start = (...given: Parameters<typeof inJail>) => {
    const child = inJail(...given)
    running.add(child)
    return child
  }
  before(() => {
    assert.equal(bringUpToDate(), undefined)
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-sandbox-'))
  })
  after(async () => {
    for (const child of running) await endProcess(child, 'SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  })

  for (const [name, { data, argv, jail }] of someOf(Object.entries(places), 1)) {
    const program = argv.map(word => (word === '/usr/bin/node' ? 'node' : word))
    const opened = async (owner: (user: number) => number) => {
      const outside = fs.mkdtempSync(path.join(folder, 'data-'))
      const { user } = jail(outside)
      fs.chownSync(outside, owner(user), owner(user))
      const port = await freePort()
      const declared = jail(outside)
      return {
        outside,
        port,
        declared: { ...declared, env: { ...declared.env, PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'warn' } },
      }
    }

    test(`${name}, everything is kept: hits, secrets, uploads, exports, backups; and it is healthy while it is ready`, async () => {
      const { outside, port, declared } = await opened(user => user)
      const child = start(declared, program)
      const started = await said(child)
      const [, token = ''] = /^ {2}token {6}(pat_\w+)/m.exec(started) ?? assert.fail(started)
      const [, workspace = ''] = /^ {2}workspace {2}(ws_\w+)/m.exec(started) ?? []
      const [, site = ''] = /^ {2}site {7}(pa_\w+)/m.exec(started) ?? []
      const address = `http://127.0.0.1:${port}`
      const ask = async (method: string, path: string, body?: unknown) => {
        const answer = await fetch(path.startsWith('http') ? path : address + path, {
          method,
          headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const given = await answer.text()
        assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${given}`)
        return JSON.parse(given).data
      }
      const done = async (path: string) => {
        for (;;) {
          const { status, error } = await ask('GET', path)
          if (status === 'completed') return
          assert.ok(['pending', 'running', 'awaiting_upload'].includes(status), `${path}: ${status} ${error}`)
          await setTimeout(100)
        }
      }
      assert.equal(await (await fetch(`${address}/readyz`)).text(), 'ready')
      assert.deepEqual([await health(port), await health(await freePort())], [0, 1])

      const imported = await ask('POST', `/sites/${site}/imports`, { source: 'footfall', filename: 'hits.ndjson' })
      const hits = Array.from({ length: 500 }, (_, i) =>
        JSON.stringify({ timestamp: `2026-01-0${1 + (i % 9)}T12:00:00Z`, url: `/page-${i}`, visitor: `v${i % 50}` }),
      ).join('\n')
      assert.equal((await fetch(imported.upload_url, { method: 'PUT', body: hits })).status, 200)
      await ask('POST', `/sites/${site}/imports/${imported.id}/start`)
      await done(`/sites/${site}/imports/${imported.id}`)
      const exported = await ask('POST', `/sites/${site}/exports`, { kind: 'hits', format: 'csv' })
      await done(`/sites/${site}/exports/${exported.id}`)
      const { download_url } = await ask('GET', `/sites/${site}/exports/${exported.id}`)
      assert.equal((await (await fetch(download_url)).text()).trim().split('\n').length, 501)
      await ask('POST', `/workspaces/${workspace}/webhooks`, { url: 'https://example.com/hook', events: ['site.created'] })

      const backup = await ended(start(declared, ['node', 'scripts/run.mjs', 'backup', `${data}/backup.db`]))
      assert.equal(backup.code, 0, backup.errors)
      child.kill('SIGTERM')
      assert.deepEqual(await once(child, 'exit'), [0, null])

      const modes = Object.fromEntries(
        fs.readdirSync(outside).map(name => [name, (fs.statSync(path.join(outside, name)).mode & 0o777).toString(8)]),
      )
      assert.deepEqual(modes, { 'backup.db': '600', 'backup.db.key': '600', files: '700', 'footfall.db': '600', 'footfall.db.key': '600' })
    })

    test(`${name}, a folder of root stops the start with what to do`, async () => {
      const { declared } = await opened(() => 0)
      const { code, errors } = await ended(start(declared, program))
      assert.equal(code, 1)
      assert.match(
        errors,
        new RegExp(
          `^The database at DATABASE_URL .*: user .*${declared.user}\\)? may not write to ${data} \\(permission denied\\)\\. Give the place`,
          'm',
        ),
      )
    })

    test(`${name}, files that cannot be stored where FILES_URL says stop the start with what to do`, async () => {
      const { declared } = await opened(user => user)
      for (const place of someOf(['data/files', '/usr/files'], 1)) {
        const { code, errors } = await ended(start({ ...declared, env: { ...declared.env, FILES_URL: `file:${place}` } }, program))
        assert.equal(code, 1)
        assert.match(
          errors,
          new RegExp(`^Files of imports and exports \\(FILES_URL\\) cannot be stored: user .*${declared.user}\\)? may not write to `, 'm'),
        )
      }
    })
  }

  test('the unit, a stop is not cut short by systemd, and nothing stands between it and the service', () => {
    assert.match(String(of('ExecStart')), /^\/usr\/bin\/node /)
    assert.ok(Number(of('TimeoutStopSec')) >= 15)
    const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
    assert.equal(String(of('ExecStart')).replace('/usr/bin/', ''), manifest.scripts.start.replace(/^exec /, ''))
  })
})

/** Standard output up to the end of the welcome. */
function said(child: ChildProcess): Promise<string> {
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += String(chunk)
  })
  return new Promise((resolve, reject) => {
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', line => {
        output += `${line}\n`
        if (line.startsWith('API reference')) resolve(output)
      })
    child.once('exit', code => reject(new Error(`it ended with ${code}\n${output}`)))
  })
}

async function ended(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  const [errors, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit'), child.stdout?.resume()])
  return { code, errors }
}
