/** Distinguishes invalid rows from an unavailable database. */

/** SQLSTATE classes: data exception, integrity violation, program limit exceeded. */
const POSTGRES = /^(22|23|54)[0-9A-Z]{3}$/
const SQLITE = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/

/** True if other rows could be stored; false if any statement would fail (full disk, no connection). */
export function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return POSTGRES.test(code) || SQLITE.test(code) || error instanceof RangeError || error instanceof TypeError
}
