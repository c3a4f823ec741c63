/**
 * How long one hostile request blocks the event loop, and how long its answer is. Every operation and endpoint gets the
 * values of values.ts, on SQLite, whose driver runs in the loop. Exits with 1 when a request blocks the loop over 50 ms,
 * gets an error of more than 256 KB, or fails. Ends after ten minutes at the latest, and on SIGINT, with what it has.
 * `npm run bench -- hostile dashboards` runs the cases with that term in their name.
 */
import { engines } from '../../tests/support/engines.ts'
import { makeWorld, startService, type TestService } from '../../tests/support/world.ts'
import { type Case, cases } from './hostile/cases.ts'

const maxHoldMs = 50
const maxAnswer = 256 * 1024
/** Slower requests are measured again, and the lowest time counts, because other processes run as well. */
const suspectMs = 20
const again = 4
const maxMs = 9 * 60_000

interface Measured {
  readonly what: string
  readonly holdMs: number
  readonly size: number
  readonly status: number
  readonly isError: boolean
  /** Sent without a good token on purpose. */
  readonly isStranger: boolean
}

const wanted = process.argv.slice(3)
const [sqlite] = engines
if (!sqlite) throw new Error('there is no engine')
const service = await startService(sqlite)
await import('@simplewebauthn/server') // loaded once in the life of a process, with the first passkey: no request's own cost
const measured: Measured[] = []
const began = performance.now()
let isStopped = false
process.once('SIGINT', () => {
  isStopped = true
})
for await (const each of cases(() => makeWorld(service))) {
  isStopped ||= performance.now() - began > maxMs
  if (isStopped) break
  if (measured.length > 0 && measured.length % 500 === 0) process.stderr.write(`${measured.length} requests\n`)
  if (wanted.some(word => !each.what.includes(word)) || (each.body?.length ?? 0) > 1024 * 1024) continue
  const one = await measure(service, each)
  measured.push(one)
  if (isBad(one)) process.stderr.write(line(one))
}
await service.close()

process.stdout.write(
  `${isStopped ? 'Stopped: not all were sent. ' : ''}${measured.length} requests (${statuses(measured)}) in ${((performance.now() - began) / 1000).toFixed(0)} s; how long each blocked the loop, and the length and status of its answer:\n`,
)
process.stdout.write(
  `\nLongest\n${measured
    .toSorted((a, b) => b.holdMs - a.holdMs)
    .slice(0, 20)
    .map(line)
    .join('')}`,
)
process.stdout.write(
  `\nLargest refusals\n${measured
    .filter(refused)
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 20)
    .map(line)
    .join('')}`,
)
const bad = measured.filter(isBad)
process.stdout.write(
  `\n${bad.length === 0 ? 'None' : bad.length} held it over ${maxHoldMs} ms, were refused in over ${kb(maxAnswer)}, or failed.\n${bad.slice(0, 200).map(line).join('')}`,
)
if (bad.length > 0) process.exitCode = 1

function isBad(each: Measured): boolean {
  return (
    each.holdMs > maxHoldMs || (refused(each) && each.size > maxAnswer) || each.status >= 500 || (each.status === 401 && !each.isStranger)
  )
}

/** Counts answers by status: requests that are refused or find nothing prove little. */
function statuses(all: readonly Measured[]): string {
  const counts = new Map<number, number>()
  for (const { status } of all) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}

function line({ holdMs, size, status, what }: Measured): string {
  return `${holdMs.toFixed(1).padStart(8)} ms  ${kb(size).padStart(10)}  ${status}  ${what}\n`
}

function kb(size: number): string {
  return `${(size / 1024).toFixed(1)} KB`
}

function refused({ isError }: Measured): boolean {
  return isError
}

async function measure(service: TestService, each: Case): Promise<Measured> {
  let best = await once(service, each)
  for (let i = 0; i < again && best.holdMs > suspectMs; i++) {
    const next = await once(service, each)
    if (next.status !== best.status) break // it was deleted, or exists already: the times are not comparable
    best = { ...best, holdMs: Math.min(best.holdMs, next.holdMs), size: Math.max(best.size, next.size) }
  }
  return { what: each.what, isStranger: 'Authorization' in each.headers && !/^Bearer \S+$/.test(each.headers.Authorization), ...best }
}

async function once(
  { web }: TestService,
  { method, path, headers, body }: Case,
): Promise<Pick<Measured, 'holdMs' | 'size' | 'status' | 'isError'>> {
  const request = new Request(`http://footfall.test${path}`, {
    method,
    headers: { ...headers, ...(body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }) },
    body,
  })
  const held = watch()
  const response = await web.fetch(request)
  const holdMs = held()
  const text = await response.text()
  // Over MCP and in batches an error has status 200. Successful answers (a list of tools, a report with its filters) may
  // be long, also where a batch goes on with a refusal.
  const isError = response.status >= 400 || (text.startsWith('[') ? parts(text).every(isRefusal) : isRefusal(text))
  return { holdMs, size: Buffer.byteLength(text), status: response.status, isError }
}

function isRefusal(text: string): boolean {
  return /"isError":true|"error":\{|"errors":[1-9]/.test(text)
}

function parts(list: string): string[] {
  return (JSON.parse(list) as unknown[]).map(part => JSON.stringify(part))
}

/**
 * Measures the longest time between two turns of the event loop: by the clock or by the CPU time of this process,
 * whichever is less, as the clock also counts time in which other processes run.
 */
function watch(): () => number {
  let longest = 0
  let last = stopwatch()
  let going = true
  const look = () => {
    longest = Math.max(longest, last())
    last = stopwatch()
  }
  const turn = () => {
    look()
    if (going) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    going = false
    look()
    return longest
  }
}

function stopwatch(): () => number {
  const [from, used] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(used)
    return Math.min(performance.now() - from, (user + system) / 1_000)
  }
}
