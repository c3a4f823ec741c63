/**
 * The path of a site's script: `/{script_path}.js`. It contains no recognizable name, so that lists of ad blockers, which use
 * names and paths, cannot match it. It never equals the path of an operation, because those have no digits.
 */
const letters = 'abcdefghijkmnpqrstuvwxyz'
const digits = '23456789'

/** Pattern with which endpoints recognize a script path. */
export const SCRIPT_PATH = '[a-z][0-9][0-9a-z]+'

/** @param random 12 bytes */
export function newScriptPath(random: Uint8Array): string {
  const of = (alphabet: string, i: number) => alphabet[(random[i] ?? 0) % alphabet.length] ?? ''
  return of(letters, 0) + of(digits, 1) + Array.from({ length: 10 }, (_, i) => of(letters + digits, i + 2)).join('')
}
