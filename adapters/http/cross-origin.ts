/** What pages of any origin may call or show (Fetch §3.3). They are public, or ask for a token that no browser keeps. */

/** On every answer to them. */
export const crossOrigin: Readonly<Record<string, string>> = Object.freeze({
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
})

/** The answer to a preflight. @param admitted request headers beyond the safe ones */
export function preflight(method: string, admitted: readonly string[]): Readonly<Record<string, string>> {
  return {
    ...crossOrigin,
    'Access-Control-Allow-Methods': method,
    'Access-Control-Allow-Headers': admitted.join(', '),
    'Access-Control-Max-Age': '86400',
  }
}
