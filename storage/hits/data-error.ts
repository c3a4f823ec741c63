/** Tells what is wrong with a row from what is wrong with the database. */

/** SQLSTATE classes: data exception, integrity violation, a value over the engine's limits. */
const POSTGRES = /^(22|23|54)[0-9A-Z]{3}$/
const SQLITE = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/

/** True where other rows would do; false where the next statement would fail alike (full disk, no connection). */
export function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return POSTGRES.test(code) || SQLITE.test(code) || error instanceof RangeError || error instanceof TypeError
}
