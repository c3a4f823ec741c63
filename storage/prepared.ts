/**
 * Queries that are asked at every call: built and compiled once an engine, then only run — and on SQLite not even
 * that while nothing was committed since the same was last asked.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './store.ts'
import { stateOf } from './version.ts'

/** Answers and rows of them kept for each query, from between two changes of the database. */
const mostKept = 20_000

/**
 * The rows it answers are shared: do not change them.
 * @param build takes the parameters in the order in which the SQL binds them, and nothing else that varies
 * @throws Error at the first run where that order is another
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
    // Where reading has to wait, the rows may be newer than this version, never older: then they are merely asked for again.
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
