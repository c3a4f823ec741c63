/**
 * Ends a test process that hangs, and reports where. A test that fails in the middle may leave a server, a connection or a
 * process open, and Node waits for it. The process ends a minute after its last test, and also if no test has ended for four
 * minutes while the process was idle. A busy process is only slow.
 */
import { after, afterEach, beforeEach } from 'node:test'

// In a full run a test may wait for a whole run in a copy of the checkout.
const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? (process.env.TEST_FULL ? 3_600_000 : 240_000))
const LEFT_OPEN_MS = PATIENCE_MS / 4
/** An idle process uses less than this share of a processor. */
const IDLE = 0.02

/** @type {string[]} */
let running = []
let isOver = false
let since = Date.now()
let used = process.cpuUsage()

/** @param {boolean} over */
function noteProgress(over) {
  isOver = over
  since = Date.now()
  used = process.cpuUsage()
}

/** @param {string} reason */
function end(reason) {
  process.stderr.write(`${reason} Still open: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}

beforeEach(({ name }) => {
  noteProgress(false)
  running = [...running, name]
})
afterEach(({ name }) => {
  noteProgress(false)
  running = running.filter(other => other !== name)
})
after(() => noteProgress(true))

setInterval(() => {
  const waited = Date.now() - since
  const { user, system } = process.cpuUsage(used)
  if (isOver && waited >= LEFT_OPEN_MS) end('All tests of this process have ended, but it has not.')
  if (waited >= PATIENCE_MS && (user + system) / 1_000 < IDLE * waited)
    end(`No test has ended for ${Math.round(waited / 1_000)} s. Running: ${running.join(', ') || 'a hook'}.`)
}, LEFT_OPEN_MS / 4).unref()
