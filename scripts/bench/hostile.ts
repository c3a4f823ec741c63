/**
 * What one request can do to all others: how long it holds the event loop, and how much it is answered. Every operation
 * and endpoint is fed what values.ts has, on SQLite, whose driver works in the loop itself. Ends with 1 where a request
 * holds it over 50 ms more than JSON.parse of its body takes, or is answered over 256 KB of refusal.
 * `npm run bench -- hostile dashboards` tries what has that word in its name.
 */
import { engines } from '../../tests/support/engines.ts'
import { makeWorld, startService, type TestService } from '../../tests/support/world.ts'
import { type Case, cases } from './hostile/cases.ts'

const mostHoldMs = 50
const mostAnswer = 256 * 1024
/** What holds longer is measured again: the lowest counts, as the machine has other things to do. */
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

/** Beyond what JSON.parse takes. */
function over({ holdMs, parseMs }: Measured): number {
  return holdMs - parseMs
}

function line({ holdMs, parseMs, size, status, what }: Measured): string {
  return `${holdMs.toFixed(1).padStart(8)} ms  ${parseMs.toFixed(1).padStart(6)} ms  ${kb(size).padStart(10)}  ${status}  ${what}\n`
}

function kb(size: number): string {
  return `${(size / 1024).toFixed(1)} KB`
}

/** Over MCP and in batches a refusal is a 200. What is asked for rightly (a list of tools, reports) may be long. */
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
 * The longest time between two turns of the event loop, until it is asked; of the clock or of this process' use of the
 * CPU, whichever is less: on a machine that does other things the clock goes on while nothing is done here.
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
