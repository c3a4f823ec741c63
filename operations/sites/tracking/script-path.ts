/**
 * Where a site's script is: `/{script_path}.js`. No word of ours is in it, so that lists of ad blockers, which go by
 * names and paths, have nothing to match; and it is never the path of an operation, which have no digits.
 */
const letters = 'abcdefghijkmnpqrstuvwxyz'
const digits = '23456789'

/** The pattern by which endpoints recognise one. */
export const SCRIPT_PATH = '[a-z][0-9][0-9a-z]+'

/** @param random 12 bytes */
export function newScriptPath(random: Uint8Array): string {
  const of = (alphabet: string, i: number) => alphabet[(random[i] ?? 0) % alphabet.length] ?? ''
  return of(letters, 0) + of(digits, 1) + Array.from({ length: 10 }, (_, i) => of(letters + digits, i + 2)).join('')
}
