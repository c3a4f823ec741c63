/** Faults of outgoing calls, in texts that deliveries, incidents and messages quote. */
import type { DetailedPeerCertificate } from 'node:tls'

export const outboundFaults = {
  invalid_target: 'the target is no http or https URL, or no host, that can be called',
  blocked: 'the target is not a public address',
  dns_error: 'the name does not resolve',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection was closed before the answer was whole',
  unreachable: 'there is no way to the target',
  timeout: 'the time limit passed',
  tls_expired: 'the certificate has expired',
  tls_invalid: 'the certificate is not valid for the target',
  tls_error: 'no TLS connection could be made',
  too_many_redirects: 'the answer redirects too often',
  protocol_error: 'the answer is not HTTP',
} as const satisfies Record<string, string>
export type OutboundFault = keyof typeof outboundFaults

/**
 * The only error that outgoing calls throw. Its message contains no address: the user who entered a name must not learn what
 * it resolves to inside the network.
 */
export class OutboundError extends Error {
  readonly code: OutboundFault
  /** The peer's certificate, if TLS is at fault. */
  readonly certificate: DetailedPeerCertificate | undefined

  constructor(code: OutboundFault, certificate?: DetailedPeerCertificate) {
    super(`${code}: ${outboundFaults[code]}`)
    this.code = code
    this.certificate = certificate
  }
}

/** By error code of Node (errno, OpenSSL, c-ares) and undici. */
const faultOfCode: ReadonlyArray<readonly [RegExp, OutboundFault]> = [
  [/^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EFORMERR|EREFUSED|ENOTIMP|EBADNAME|EBADRESP|ENONAME)$/, 'dns_error'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/, 'connection_reset'],
  [/^UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH)$/, 'connection_reset'],
  [/^(E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EACCES|EPERM|EAFNOSUPPORT|EINVAL)$/, 'unreachable'],
  [/^(ETIMEDOUT|ETIMEOUT|ABORT_ERR|UND_ERR_ABORTED|UND_ERR_\w+_TIMEOUT)$/, 'timeout'],
  [/^CERT_HAS_EXPIRED$/, 'tls_expired'],
  [/^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_|PATH_LENGTH_)/, 'tls_invalid'],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, 'tls_error'],
]

/** The fault for an error code of Node or undici; an unknown one means that the peer did not speak HTTP. */
export function faultOf(code: string): OutboundFault {
  return faultOfCode.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol_error'
}

/** Converts any underlying error. */
export function outboundError(thrown: unknown): OutboundError {
  if (thrown instanceof OutboundError) return thrown
  return new OutboundError(faultOf(thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''))
}
