/** An agent's HTTP client for its server. The operator of the agent configures the server, so any address is allowed. */
import type { Static, TSchema } from '@sinclair/typebox'
import { matches } from '../../../../runtime/values/matches.ts'
import { ProbeChecks, ProbeSubmission } from './records.ts'
import type { ProbeResult } from './submit.ts'

export type Submitted = Static<typeof ProbeResult>

export interface AgentServer {
  /** Undefined if unchanged. */
  checks(): Promise<Static<typeof ProbeChecks> | undefined>
  submit(results: readonly Submitted[]): Promise<Static<typeof ProbeSubmission>>
}

/** The server rejects this agent; a retry is useless. */
export class Refused extends Error {}

/** The server cannot read the request, because its version differs; a retry is useless. */
export class Unreadable extends Error {}

const faults: Readonly<Record<number, typeof Refused | typeof Unreadable>> = {
  401: Refused,
  403: Refused,
  404: Refused,
  413: Unreadable,
  422: Unreadable,
}

const timeoutMs = 20_000

/**
 * @param address without a trailing slash
 * @returns functions that throw Refused or Unreadable, or Error if a retry may help
 */
export function agentServer(address: string, token: string): AgentServer {
  let tag: string | undefined

  async function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const response = await fetch(`${address}/uptime/probes/${path}.json`, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, ...init.headers },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    if (response.ok || response.status === 304) return response
    const message = `${path}: ${response.status} ${(await response.text()).slice(0, 300)}`
    throw new (faults[response.status] ?? Error)(message)
  }

  return Object.freeze<AgentServer>({
    async checks() {
      const response = await ask('checks', { headers: tag === undefined ? {} : { 'If-None-Match': tag } })
      if (response.status === 304) return undefined
      const checks = shaped(ProbeChecks, await response.json())
      tag = response.headers.get('etag') ?? undefined
      return checks
    },
    async submit(results) {
      const headers = { 'Content-Type': 'application/json' }
      const response = await ask('results', { method: 'POST', headers, body: JSON.stringify({ results }) })
      return shaped(ProbeSubmission, await response.json())
    },
  })
}

function shaped<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!matches(schema, value)) throw new Error('the response has an unexpected format; check that the server runs the same version')
  return value as Static<S> // just checked
}
