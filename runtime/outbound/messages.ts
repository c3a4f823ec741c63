/** Messages of outgoing calls to people. */
import { messages } from '../texts/message.ts'

export const m = messages('outbound', {
  invalid_target: '{code}: the target is not an http or https URL with a host that can be called',
  blocked: '{code}: the target is not a public address',
  dns_error: '{code}: the name does not resolve',
  connection_refused: '{code}: the connection was refused',
  connection_reset: '{code}: the connection was closed before the answer was whole',
  unreachable: '{code}: there is no way to the target',
  timeout: '{code}: the time limit passed',
  tls_expired: '{code}: the certificate has expired',
  tls_invalid: '{code}: the certificate is not valid for the target',
  tls_error: '{code}: no TLS connection could be made',
  too_many_redirects: '{code}: the answer redirects too often',
  protocol_error: '{code}: the answer is not HTTP',
  url_has_spaces: '{field} must be a URL without spaces.',
  url_not_https: '{field} must be an https:// URL.',
  url_not_public: '{field} must lead to a public address.',
  url_has_credentials: '{field} must be an https:// URL without a user name or password in it.',
})

/** Codes of faults, as tables and incidents name them. */
export const faultNames = messages('value', {
  invalid_target: 'invalid target',
  blocked: 'blocked',
  dns_error: 'DNS error',
  connection_refused: 'connection refused',
  connection_reset: 'connection reset',
  unreachable: 'unreachable',
  timeout: 'timeout',
  tls_expired: 'TLS expired',
  tls_invalid: 'TLS invalid',
  tls_error: 'TLS error',
  too_many_redirects: 'too many redirects',
  protocol_error: 'protocol error',
  keyword_missing: 'keyword missing',
  body_limit: 'keyword not in the first MB, and only that is read',
  body_unreadable: 'compressed in a way that cannot be read',
})
