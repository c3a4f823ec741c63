/**
 * One probe of a target, by kind. All connections go through the outbound guard, so only public addresses are called.
 */
import {
  guardedConnect,
  guardedFetch,
  type Guard,
  type OutboundAnswer,
  OutboundError,
  resolvePublic,
} from '../../../../runtime/outbound/outbound.ts'
import type { Kind, Target } from '../target.ts'
import { certificateFacts, type CertificateFacts } from './certificate.ts'

export interface ProbeOutcome {
  readonly ok: boolean
  /** `timeout`, `status_503`, `keyword_missing`, or an error code of runtime/outbound; null if ok. */
  readonly error: string | null
  readonly status: number | null
  /** Response time in ms; null without an answer. */
  readonly ms: number | null
  /** The certificate of the last hop; null if it has none, undefined if it was not seen. */
  readonly certificate: CertificateFacts | null | undefined
}

export type ProbeTarget = Target & { readonly timeout_seconds: number }

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
  const { url, kind, http_method, expected_status, timeout_seconds } = target
  const answer = await guardedFetch(url ?? '', {
    ...guard,
    method: http_method,
    headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', 'cache-control': 'no-cache' },
    timeoutMs: timeout_seconds * 1000,
    connectMs: timeout_seconds * 1000,
    maxBytes: bodyBytes[kind === 'keyword' ? kind : 'http'],
    // A check that expects a redirect must not follow it.
    redirects: expected_status >= 300 && expected_status < 400 ? 0 : redirects,
  })
  const error = answer.status !== expected_status ? `status_${answer.status}` : contains(answer, target.keyword) ? null : 'keyword_missing'
  return {
    ok: error === null,
    error,
    status: answer.status,
    ms: answer.ms,
    certificate: answer.certificate && certificateFacts(answer.certificate),
  }
}

function contains({ body, headers }: OutboundAnswer, keyword: string | null): boolean {
  return keyword === null || textOf(body, headers['content-type']).includes(keyword)
}

function textOf(body: Buffer, contentType = ''): string {
  const [, charset = 'utf-8'] = /charset="?([\w:.-]+)/i.exec(contentType) ?? []
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8') // unknown charset
  }
}
