/**
 * Queries of the hot path: compiled once for each engine, and on SQLite not even run while nothing was committed since
 * the same query last ran.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './store.ts'
import { stateOf } from './version.ts'

/** Most results, and most rows, cached for each query between two changes of the database. */
const mostKept = 20_000

/**
 * The returned rows are shared: do not modify them.
 * @param build must use the parameters in the order in which the SQL binds them, and nothing else that varies
 * @throws Error at the first run if the order differs
 */
export function prepared<P extends readonly (string | number)[], O>(
  build: (db: Db, ...parameters: P) => Compilable<O>,
): (db: Db, ...parameters: P) => Promise<readonly O[]> {
  const compiled = new WeakMap<object, CompiledQuery<O>>()
  const kept = new WeakMap<object, { version: unknown; size: number; answers: Map<string, readonly O[]> }>()

  async function ask(db: Db, parameters: P): Promise<readonly O[]> {
    const engine = db.getExecutor().adapter
    let query = compiled.get(engine)
    if (!query) {
      query = build(db, ...parameters).compile()
      if (!isDeepStrictEqual(query.parameters, parameters)) throw new Error('a prepared query binds its parameters in another order')
      compiled.set(engine, query)
    }
    return (await db.executeQuery<O>({ ...query, parameters })).rows
  }

  return async (db, ...parameters) => {
    // If the read has to wait, its rows may be newer than this version, never older: then they are merely read again.
    const state = stateOf(db)
    if (!state) return ask(db, parameters)
    const { of, version } = state
    let since = kept.get(of)
    if (!since || since.version !== version) kept.set(of, (since = { version, size: 0, answers: new Map() }))
    const key = parameters.join('\0')
    const known = since.answers.get(key)
    if (known) return known
    const rows = await ask(db, parameters)
    const size = since.size + 1 + rows.length
    if (size <= mostKept) {
      since.size = size
      since.answers.set(key, rows)
    }
    return rows
  }
}
