/** CORS for what pages of any origin may call or show (Fetch §3.3): public, or with a token that browsers do not store. */

/** Headers of every answer. */
export const crossOrigin: Readonly<Record<string, string>> = Object.freeze({
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
})

/** Headers for a preflight. @param admitted request headers beyond the safelisted ones */
export function preflight(method: string, admitted: readonly string[]): Readonly<Record<string, string>> {
  return {
    ...crossOrigin,
    'Access-Control-Allow-Methods': method,
    'Access-Control-Allow-Headers': admitted.join(', '),
    'Access-Control-Max-Age': '86400',
  }
}
