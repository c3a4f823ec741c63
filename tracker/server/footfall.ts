/** The client of a server, and what it does when its process ends. */
import type * as Api from '../npm/server.d.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { type Incoming, visitorOf } from './visitor.ts'

/** The inside of a client, for the middleware. */
export interface Inside {
  readonly include: (path: string) => boolean
  /** @param after takes what goes on after the answer, at the edge */
  calls(request: Incoming, after?: (promise: Promise<unknown>) => void): Api.Calls
  readonly addressHeader: string | undefined
  readonly onError: (error: Error) => void
}
const insides = new WeakMap<Api.Footfall, Inside>()

export function insideOf(footfall: Api.Footfall): Inside {
  const inside = insides.get(footfall)
  if (inside === undefined) throw new TypeError('createFootfall() makes what the middleware needs')
  return inside
}

export const createFootfall: typeof Api.createFootfall = options => {
  const { url, site, token, addressHeader, include = () => true, exit = true } = options
  for (const [name, value] of Object.entries({ url, site, token })) {
    if (typeof value !== 'string' || value === '') throw new TypeError(`createFootfall() needs ${name}`)
  }
  const onError = quietly(options.onError ?? warnOnce())
  const address = `${url.replace(/\/+$/, '')}/sites/${encodeURIComponent(site)}/hits.json`
  const send: typeof globalThis.fetch = options.fetch ?? ((...call) => globalThis.fetch(...call))
  const delivery = createDelivery({ address, token, fetch: send, onError })

  const callsOf = (visitor: Api.Visitor, sent: () => void): Api.Calls => {
    const add = (name: string, hit: Api.Hit = {}) => {
      try {
        if (delivery.add(bodyOf(name, { ...visitor, ...hit }))) sent()
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)))
      }
    }
    return { track: add, pageview: hit => add('pageview', hit) }
  }
  const calls: Inside['calls'] = (request, after) =>
    callsOf(visitorOf(request, addressHeader), () => (after ? after(delivery.drain()) : delivery.schedule()))

  const footfall: Api.Footfall = {
    ...callsOf({}, delivery.schedule),
    of: (request, visitor = {}) => callsOf({ ...visitorOf(incomingOf(request), addressHeader), ...visitor }, delivery.schedule),
    flush: delivery.flush,
    close: delivery.close,
  }
  insides.set(footfall, { include, calls, addressHeader, onError })
  if (exit) sendAtExit(delivery)
  return footfall
}

export const incomingOf = ({ method, url, headers }: Request, ip?: string): Incoming => ({
  method,
  url,
  header: name => headers.get(name) ?? undefined,
  ip,
})

function bodyOf(name: string, { url, referrer, ip, userAgent, language, timestamp = Date.now(), ...rest }: Api.Hit) {
  const { title, props, revenue, interactive, user, traits, consent } = rest
  const at = timestamp instanceof Date ? timestamp.getTime() : timestamp
  return {
    name,
    u: url,
    r: referrer,
    ip,
    user_agent: userAgent,
    l: language,
    timestamp: at,
    t: title,
    props,
    revenue,
    interactive,
    user,
    traits,
    consent,
  }
}

/** An error of the host's own function does not reach its request either. */
const quietly = (report: (error: Error) => void) => (error: Error) => {
  try {
    report(error)
  } catch {}
}

const MAX_WARNINGS = 100
function warnOnce(): (error: Error) => void {
  const said = new Set<string>()
  return ({ message }) => {
    if (said.has(message) || said.size >= MAX_WARNINGS) return
    said.add(message)
    console.warn(message)
  }
}

interface Process {
  once(event: string, listener: () => void): void
  removeListener(event: string, listener: () => void): void
  listenerCount(event: string): number
  kill(pid: number, signal: string): void
  readonly pid: number
}
const isProcess = (value: unknown): value is Process =>
  typeof value === 'object' &&
  value !== null &&
  ['once', 'removeListener', 'listenerCount', 'kill'].every(name => typeof Reflect.get(value, name) === 'function')

/** Sends what waits when the process ends. A process that handles its signals itself goes on to end itself. */
function sendAtExit(delivery: Delivery): void {
  const process: unknown = Reflect.get(globalThis, 'process')
  if (!isProcess(process)) return // the edge
  process.once('beforeExit', () => {
    if (!delivery.isIdle) void delivery.close()
  })
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      const isAlone = process.listenerCount(signal) === 0
      void delivery.close().then(() => {
        if (isAlone) process.kill(process.pid, signal)
      })
    })
  }
}
