/** Unread output waits in bounded memory, and what exceeds it is counted. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

/** Writes 50 MB to standard output in turns, and reports the result on standard error. */
const flood = `
  import { openLog } from './runtime/observability/log.ts'
  const log = openLog('info')
  const line = 'x'.repeat(10_000)
  for (let turn = 0; turn < 50; turn++) {
    for (let i = 0; i < 100; i++) log.info(line)
    await new Promise(resolve => setImmediate(resolve))
  }
  process.stderr.write(JSON.stringify({ waiting: process.stdout.writableLength }) + '\\n')
  const look = setInterval(() => {
    if (process.stdout.writableLength > 0) return
    clearInterval(look)
    log.info('the end')
  }, 10)
`

test('a log that is not read for a while takes bounded memory, holds nothing up, and then says what is missing', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', flood], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const [said] = await once(child.stderr, 'data') // from here on it is read
  const { waiting } = JSON.parse(String(said)) as { waiting: number } // reported although no output was read
  assert.ok(waiting > 0 && waiting <= 1024 * 1024 + 10_000, `${waiting} bytes wait`)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += String(chunk)
  })
  assert.deepEqual(await ended, [0, null])
  const lines = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { msg: string; lines?: number })
  const missing = lines
    .filter(line => line.lines !== undefined)
    .map(line => line.lines ?? 0)
    .reduce((sum, n) => sum + n, 0)
  const written = lines.filter(({ msg }) => msg.startsWith('xxx')).length
  assert.equal(written + missing, 5_000)
  assert.ok(missing > 2_500, `${missing} missing`)
  assert.equal(lines.at(-1)?.msg, 'the end')
})
