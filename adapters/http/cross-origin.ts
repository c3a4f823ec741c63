/** CORS for endpoints that pages of any origin may call or show (Fetch §3.3): public ones, or ones with a token that browsers do not store. */

/** Headers of every answer. */
export const crossOrigin: Readonly<Record<string, string>> = Object.freeze({
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
})

/** Headers of the answer to a preflight. @param admitted request headers in addition to the safelisted ones */
export function preflight(method: string, admitted: readonly string[]): Readonly<Record<string, string>> {
  return {
    ...crossOrigin,
    'Access-Control-Allow-Methods': method,
    'Access-Control-Allow-Headers': admitted.join(', '),
    'Access-Control-Max-Age': '86400',
  }
}

/** Headers of answers that scripts may read in addition to the safelisted ones. */
const exposed =
  'ETag, Location, Link, Idempotency-Replayed, Deprecation, Sunset, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Content-Disposition'

/**
 * CORS for operations: scripts of these origins may call them with a token in a header. No answer allows credentials, so a
 * browser never adds a cookie.
 * @param origins `*` for all; none: null
 */
export function admittingOrigins(origins: readonly string[]): ((origin: string | undefined) => Readonly<Record<string, string>>) | null {
  if (origins.length === 0) return null
  if (origins.includes('*')) {
    const all = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }
    return () => all
  }
  const known = new Set(origins)
  const others = { Vary: 'Origin' }
  return origin =>
    origin !== undefined && known.has(origin)
      ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed, Vary: 'Origin' }
      : others
}

/** Headers that the answer to a preflight of an operation carries, in addition to the headers of every answer. */
export const operationPreflight = (methods: readonly string[]): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '7200',
})
