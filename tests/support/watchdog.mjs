/**
 * Ends a test process that hangs, and reports where. A test that fails in the middle may leave a server, a connection or a
 * process open, and Node waits for it. The process ends if it and all that it started were idle for a minute after its last test, or
 * for four minutes in which no test has ended. Processes that work, or wait for a processor, are only slow.
 */
import diagnostics from 'node:diagnostics_channel'
import fs from 'node:fs'
import { after, afterEach, beforeEach } from 'node:test'

// In a full run a test may wait for a whole run in a copy of the checkout.
const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? (process.env.TEST_FULL ? 3_600_000 : 240_000))
const LEFT_OPEN_MS = PATIENCE_MS / 4
/** Idle processes need less than this share of a processor together. */
const IDLE = 0.02

/** Says that a test is slow, and was left to run: to the test of this file. */
const slow = diagnostics.channel('footfall:slow')

/** @type {string[]} */
let running = []
let isOver = false
let since = Date.now()
/** Activity by process, at the first look since then. @type {Map<string, number> | undefined} */
let before

/** @param {boolean} over */
function noteProgress(over) {
  isOver = over
  since = Date.now()
  before = undefined
}

/** The time that this process and its descendants have worked, or waited for a processor, by process, ms. */
const activity = () => new Map(processes().map(id => [id, activityOf(id)]))

/** Ids of this process and its descendants; elsewhere than on Linux only of this process. */
function processes() {
  const own = String(process.pid)
  if (process.platform !== 'linux') return [own]
  const parents = fs.readdirSync('/proc').flatMap(id => {
    const parent = /^\d+$/.test(id)
      ? readIfThere(`/proc/${id}/stat`)
          .replace(/^.*\) \S+ /, '')
          .split(' ')[0]
      : ''
    return parent ? [{ id, parent }] : []
  })
  const found = [own]
  for (const one of found) found.push(...parents.filter(({ parent }) => parent === one).map(({ id }) => id))
  return found
}

/** @param {string} id @returns {number} ms */
function activityOf(id) {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const threads = threadsOf(id)
  // Nanoseconds on a processor, and waiting for one (docs.kernel.org/scheduler/sched-stats.html).
  const nanoseconds = threads.flatMap(thread => readIfThere(`/proc/${id}/task/${thread}/schedstat`).split(' ').slice(0, 2).map(Number))
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** @param {string} file of a process that may have ended */
function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} id of a process that may have ended */
function threadsOf(id) {
  try {
    return fs.readdirSync(`/proc/${id}/task`)
  } catch {
    return []
  }
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
  if (!before) before = activity()
  else if (waited >= (isOver ? LEFT_OPEN_MS : PATIENCE_MS)) {
    const known = before
    const active = [...activity()].reduce((sum, [id, ms]) => sum + ms - (known.get(id) ?? 0), 0)
    if (active >= IDLE * waited) {
      slow.publish({})
      return noteProgress(isOver)
    }
    if (isOver) end('All tests of this process have ended, but it has not.')
    end(`No test has ended for ${Math.round(waited / 1_000)} s. Running: ${running.join(', ') || 'a hook'}.`)
  }
}, LEFT_OPEN_MS / 4).unref()
