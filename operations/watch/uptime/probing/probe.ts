/**
 * One probe of a target, by kind. All connections go through the outbound guard, so only public addresses are called.
 */
import { guardedConnect, guardedFetch, type Guard, OutboundError, resolvePublic } from '../../../../runtime/outbound/outbound.ts'
import type { Kind, Target } from '../target.ts'
import { textOf } from './text.ts'
import { certificateFacts, type CertificateFacts } from './certificate.ts'

export interface ProbeOutcome {
  readonly ok: boolean
  /** `timeout`, `status_503`, `keyword_missing`, `body_limit`, `body_unreadable`, or an error code of runtime/outbound; null if ok. */
  readonly error: string | null
  readonly status: number | null
  /** Response time in ms; null without an answer. */
  readonly ms: number | null
  /** The certificate of the last hop; null if it has none, undefined if it was not seen. */
  readonly certificate: CertificateFacts | null | undefined
}

export type ProbeTarget = Omit<Target, 'accepted_statuses'> & {
  readonly accepted_statuses?: readonly string[] | undefined
  readonly timeout_seconds: number
}

/**
 * Bytes of a body that are searched for the keyword; or, when only the status counts, read to see that the body
 * arrives.
 */
const bodyBytes = { keyword: 1_048_576, http: 65_536 } as const
const redirects = 5

/** Never throws. */
export async function probe(target: ProbeTarget, guard: Guard, userAgent: string): Promise<ProbeOutcome> {
  const began = performance.now()
  try {
    return await probes[target.kind](target, { guard, userAgent, msSinceStart: () => Math.round(performance.now() - began) })
  } catch (thrown) {
    const { code, certificate } = thrown instanceof OutboundError ? thrown : new OutboundError('protocol_error')
    return { ok: false, error: code, status: null, ms: null, certificate: certificate && certificateFacts(certificate) }
  }
}

interface Probing {
  readonly guard: Guard
  readonly userAgent: string
  msSinceStart(): number
}
type ProbeKind = (target: ProbeTarget, probing: Probing) => Promise<ProbeOutcome>

const probes: Readonly<Record<Kind, ProbeKind>> = {
  http: probePage,
  keyword: probePage,
  async tcp({ host, port, timeout_seconds }, { guard, msSinceStart }) {
    const limits = { connectMs: timeout_seconds * 1000, tls: false }
    const { socket } = await guardedConnect({ host: host ?? '', port: port ?? 0, limits, guard })
    const ms = msSinceStart()
    socket.destroy()
    return { ok: true, error: null, status: null, ms, certificate: null }
  },
  async dns({ host, timeout_seconds }, { guard, msSinceStart }) {
    await resolvePublic(host ?? '', timeout_seconds * 1000, guard)
    return { ok: true, error: null, status: null, ms: msSinceStart(), certificate: null }
  },
}

async function probePage(target: ProbeTarget, { guard, userAgent }: Probing): Promise<ProbeOutcome> {
  const { url, kind, keyword, http_method, expected_status, accepted_statuses = [], timeout_seconds } = target
  const accepted = [String(expected_status), ...accepted_statuses]
  const answer = await guardedFetch(url ?? '', {
    ...guard,
    method: http_method,
    headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', 'cache-control': 'no-cache' },
    timeoutMs: timeout_seconds * 1000,
    connectMs: timeout_seconds * 1000,
    maxBytes: bodyBytes[kind === 'keyword' ? kind : 'http'],
    // A check that expects a redirect must not follow it.
    redirects: accepted.some(status => status.startsWith('3')) ? 0 : redirects,
    cookies: true, // some servers redirect until theirs comes back
  })
  const { status, headers, body } = answer
  const isUp = accepted.includes(String(status)) || accepted.includes(`${Math.floor(status / 100)}xx`)
  const error = !isUp
    ? `status_${status}`
    : keyword === null || textOf(body, headers['content-type']).includes(keyword)
      ? null
      : whyMissing(answer)
  return { ok: error === null, error, status, ms: answer.ms, certificate: answer.certificate && certificateFacts(answer.certificate) }
}

/** A keyword that is not in what was read may be in what was not. */
const whyMissing = ({ isDecoded, truncated }: { isDecoded: boolean; truncated: boolean }): string =>
  !isDecoded ? 'body_unreadable' : truncated ? 'body_limit' : 'keyword_missing'
