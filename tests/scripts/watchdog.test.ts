/** What `npm test` does with a test process that does not end. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { testIfFull } from '../support/full.ts'

let folder: string
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-watchdog-'))
})
after(() => fs.rmSync(folder, { recursive: true, force: true }))

/** @param body of tests that listen on a port, which keeps the process open */
function ran(body: string): { status: number | null; printed: string } {
  const file = path.join(folder, 'one.test.mjs')
  const imports = `import { before, test } from 'node:test'\nimport net from 'node:net'\n`
  fs.writeFileSync(file, `${imports}const listen = () => net.createServer().listen(0)\n${body}`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const runner = ['--import', './tests/support/light-runner.mjs', '--test', '--test-reporter=tap']
  const { status, stdout, stderr } = spawnSync(process.execPath, [...runner, file], {
    encoding: 'utf8',
    env: { ...env, TEST_PATIENCE_MS: '1000' },
  })
  return { status, printed: stdout + stderr }
}

test('a test that fails and leaves a server open ends its process, and the tests after it run', () => {
  const { status, printed } = ran(`test('fails', () => { listen(); throw new Error('broken') })\ntest('is next', () => {})`)
  assert.equal(status, 1)
  assert.match(printed, /not ok \d+ - fails/)
  assert.match(printed, /\n *ok \d+ - is next/)
  assert.match(printed, /All tests of this process have ended, but it has not\. Still open: .*TCPServerWrap/)
})

test('a test or a hook that waits forever ends its process, which names it', () => {
  for (const [body, name] of [
    [`test('waits', () => { listen(); return new Promise(() => {}) })`, 'waits'],
    [`before(() => { listen(); return new Promise(() => {}) })\ntest('is never reached', () => {})`, 'a hook'],
  ] as const) {
    const { status, printed } = ran(body)
    assert.equal(status, 1)
    assert.match(printed, new RegExp(`No test has ended for \\d+ s\\. Running: ${name}\\.`))
  }
})

testIfFull('a test that waits for a process which works is only slow', () => {
  const { status, printed } = ran(`import { spawn } from 'node:child_process'
    import { subscribe } from 'node:diagnostics_channel'
    test('waits', () => {
      const working = spawn(process.execPath, ['-e', 'for (;;);'])
      const end = () => working.kill('SIGKILL')
      process.once('exit', end)
      subscribe('footfall:slow', end)
      return new Promise(done => working.once('exit', done))
    })`)
  assert.equal(status, 0, printed)
})
