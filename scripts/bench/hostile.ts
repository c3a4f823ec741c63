/**
 * How long one hostile request blocks the event loop, and how long its answer is. Every operation and endpoint gets the
 * values of values.ts, on SQLite, whose driver runs in the loop. Exits with 1 when a request blocks the loop over 50 ms
 * longer than JSON.parse of its body, or gets an error of more than 256 KB.
 * `npm run bench -- hostile dashboards` runs the cases with that term in their name.
 */
import { engines } from '../../tests/support/engines.ts'
import { makeWorld, startService, type TestService } from '../../tests/support/world.ts'
import { type Case, cases } from './hostile/cases.ts'

const mostHoldMs = 50
const mostAnswer = 256 * 1024
/** A request that blocks longer is measured again, and the lowest time counts, as other processes run as well. */
const suspectMs = 20
const again = 4

interface Measured { readonly what: string; readonly holdMs: number; readonly parseMs: number; readonly size: number; readonly status: number }

const wanted = process.argv.slice(3)
const [sqlite] = engines
if (!sqlite) throw new Error('there is no engine')
const service = await startService(sqlite)
const measured: Measured[] = []
const began = performance.now()
for await (const each of cases(() => makeWorld(service))) {
  if (wanted.some(word => !each.what.includes(word)) || (each.body?.length ?? 0) > 1024 * 1024) continue
  const one = await measure(service, each)
  measured.push(one)
  if (isBad(one)) process.stderr.write(line(one))
}
await service.close()

process.stdout.write(`${measured.length} requests in ${((performance.now() - began) / 1000).toFixed(0)} s; held the loop, of that JSON.parse, answered:\n`)
process.stdout.write(`\nLongest\n${measured.toSorted((a, b) => over(b) - over(a)).slice(0, 20).map(line).join('')}`)
process.stdout.write(`\nLargest refusals\n${measured.filter(refused).toSorted((a, b) => b.size - a.size).slice(0, 20).map(line).join('')}`)
const bad = measured.filter(isBad)
process.stdout.write(`\n${bad.length === 0 ? 'None' : bad.length} held it over ${mostHoldMs} ms, were refused in over ${kb(mostAnswer)}, or failed.\n${bad.slice(0, 200).map(line).join('')}`)
if (bad.length > 0) process.exitCode = 1

function isBad(each: Measured): boolean {
  return over(each) > mostHoldMs || (refused(each) && each.size > mostAnswer) || each.status >= 500 || each.status === 401
}

/** Time beyond that of JSON.parse. */
function over({ holdMs, parseMs }: Measured): number {
  return holdMs - parseMs
}

function line({ holdMs, parseMs, size, status, what }: Measured): string {
  return `${holdMs.toFixed(1).padStart(8)} ms  ${parseMs.toFixed(1).padStart(6)} ms  ${kb(size).padStart(10)}  ${status}  ${what}\n`
}

function kb(size: number): string {
  return `${(size / 1024).toFixed(1)} KB`
}

/** Over MCP and in batches an error has status 200. Successful answers (a list of tools, reports) may be long. */
function refused({ status, what }: Measured): boolean {
  return !/tools\/list|50 reports|tools_search|openapi.json|docs|footfall.js/.test(what) && (status >= 400 || status === 200)
}

async function measure(service: TestService, each: Case): Promise<Measured> {
  let best = await once(service, each)
  for (let i = 0; i < again && best.holdMs > suspectMs; i++) {
    const next = await once(service, each)
    best = { ...best, holdMs: Math.min(best.holdMs, next.holdMs), size: Math.max(best.size, next.size), status: Math.max(best.status, next.status) }
  }
  return { what: each.what, ...best, parseMs: best.holdMs > suspectMs ? parsing(each.body) : 0 }
}

async function once({ web }: TestService, { method, path, headers, body }: Case): Promise<Pick<Measured, 'holdMs' | 'size' | 'status'>> {
  const request = new Request(`http://footfall.test${path}`, { method, headers: { ...headers, ...(body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }) }, body })
  const held = watch()
  const response = await web.fetch(request)
  const holdMs = held()
  return { holdMs, size: (await response.arrayBuffer()).byteLength, status: response.status }
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

function parsing(body: string | null): number {
  let best = Infinity
  for (let i = 0; i < 3; i++) {
    const taken = stopwatch()
    try { JSON.parse(body ?? 'null') } catch { /* takes its time as well */ }
    best = Math.min(best, taken())
  }
  return best
}
