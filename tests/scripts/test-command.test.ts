/** `npm test` runs what was requested, and never nothing. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { testIfFull } from '../support/full.ts'
import { chooseTests } from '../../scripts/build/choose-tests.ts'

const itself = 'tests/scripts/test-command.test.ts'
/** An unreachable server, for runs that must not need one. */
const env: NodeJS.ProcessEnv = { ...process.env, TEST_PG_URL: 'postgres://postgres@127.0.0.1:1/none', CHOSEN: '1' }
delete env.NODE_TEST_CONTEXT // otherwise Node would take the run for a part of this one

const npmTest = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/test.ts', ...args], { encoding: 'utf8', env: { ...env, ...more } })

test('a file, a folder, and everything', () => {
  assert.deepEqual(chooseTests([itself]), [itself])
  assert.deepEqual(chooseTests([`./${itself}`, 'tests/scripts/']), chooseTests(['tests/scripts']))
  assert.ok(chooseTests(['tests/scripts']).includes(itself))
  assert.ok(chooseTests(['tests/scripts']).every(file => file.startsWith('tests/scripts/')))
  assert.deepEqual(chooseTests([]).sort(), chooseTests(['tests']), 'each once, whatever their order')
})

test('a path without tests is an error, even among paths with tests', () => {
  for (const wrong of ['tests/scirpts', 'tests/script', 'mute']) {
    assert.throws(() => chooseTests(['tests/scripts', wrong]), new RegExp(`^Error: There is no test under ${wrong}\\.`))
  }
  const { status, stdout, stderr } = npmTest(['tests/scirpts'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^There is no test under tests\/scirpts\./)
})

testIfFull('an engine that is none is named', () => {
  const { status, stderr } = npmTest([itself], { ENGINE: 'mysql' })
  assert.equal(status, 1)
  assert.match(stderr, /ENGINE must be sqlite or postgres/)
})

if (process.env.CHOSEN) test('the chosen one', () => {})

testIfFull('flags reach the test runner of Node, and with ENGINE=sqlite no Postgres is started', () => {
  const { status, stdout, stderr } = npmTest([itself, '--test-name-pattern=the chosen one', '--test-reporter=tap'], { ENGINE: 'sqlite' })
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^# pass 1$/m)
})
