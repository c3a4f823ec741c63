/** Faults of outgoing calls, in messages that deliveries and incidents quote. */
import type { DetailedPeerCertificate } from 'node:tls'
import { type Message, valueTerm } from '../texts/message.ts'
import { m } from './messages.ts'

/** By code, of which people read only the sentence. */
export const outboundFaults = {
  invalid_target: m.invalid_target,
  blocked: m.blocked,
  dns_error: m.dns_error,
  connection_refused: m.connection_refused,
  connection_reset: m.connection_reset,
  unreachable: m.unreachable,
  timeout: m.timeout,
  tls_expired: m.tls_expired,
  tls_invalid: m.tls_invalid,
  tls_error: m.tls_error,
  too_many_redirects: m.too_many_redirects,
  protocol_error: m.protocol_error,
} as const
export type OutboundFault = keyof typeof outboundFaults

/**
 * The only error that outgoing calls throw. Its message contains no address: the user who entered a name must not learn what
 * it resolves to inside the network.
 */
export class OutboundError extends Error {
  readonly code: OutboundFault
  /** The message for people, in any language; `message` is its English. */
  readonly sentence: Message
  /** The peer's certificate, if TLS is at fault. */
  readonly certificate: DetailedPeerCertificate | undefined

  constructor(code: OutboundFault, certificate?: DetailedPeerCertificate) {
    const sentence = outboundFaults[code]({ code: valueTerm(code) })
    super(String(sentence))
    this.code = code
    this.sentence = sentence
    this.certificate = certificate
  }
}

/** By error code of Node (errno, OpenSSL, c-ares). */
const faultOfCode: ReadonlyArray<readonly [RegExp, OutboundFault]> = [
  [/^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EFORMERR|EREFUSED|ENOTIMP|EBADNAME|EBADRESP|ENONAME)$/, 'dns_error'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/, 'connection_reset'],
  [/^(E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EACCES|EPERM|EAFNOSUPPORT|EINVAL)$/, 'unreachable'],
  [/^(ETIMEDOUT|ETIMEOUT|ABORT_ERR)$/, 'timeout'],
  [/^CERT_HAS_EXPIRED$/, 'tls_expired'],
  [/^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_|PATH_LENGTH_)/, 'tls_invalid'],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, 'tls_error'],
]

/** The fault for an error code of Node; an unknown one means that the peer did not speak HTTP. */
export function faultOf(code: string): OutboundFault {
  return faultOfCode.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol_error'
}

/** Converts any underlying error. */
export function outboundError(thrown: unknown): OutboundError {
  if (thrown instanceof OutboundError) return thrown
  return new OutboundError(faultOf(thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''))
}
