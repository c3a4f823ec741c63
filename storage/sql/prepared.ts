/**
 * Queries of the hot path: compiled once for each engine, and not even run while nothing was committed since the same
 * query last ran. On Postgres that is known of some tables (`storage/snapshots/versioned-tables.ts`).
 */
import { isDeepStrictEqual } from 'node:util'
import type { Compilable, CompiledQuery, TableNode } from 'kysely'
import { after, type Awaitable } from '../values/awaitable.ts'
import type { Db } from '../tables/db.ts'
import { named } from './named-statements.ts'
import { stateOf } from '../snapshots/snapshots.ts'

/** Most results, and most rows, cached for each query between two changes of the database. */
const maxKept = 20_000

/**
 * The returned rows are shared: do not modify them. Remembered rows are returned at once.
 * @param name of the statement: the file that has it, and what it does there
 * @param build must use the parameters in the order in which the SQL binds them, and nothing else that varies
 * @throws Error at the first run if the order differs
 */
export function prepared<P extends readonly (string | number)[], O>(
  name: string,
  build: (db: Db, ...parameters: P) => Compilable<O>,
): (db: Db, ...parameters: P) => Awaitable<readonly O[]> {
  const compiled = new WeakMap<object, Compiled<O>>()
  const kept = new WeakMap<object, Since<O>>()

  function compile(db: Db, parameters: P): Compiled<O> {
    const engine = db.getExecutor().adapter
    let known = compiled.get(engine)
    if (!known) {
      const query = named(name, build(db, ...parameters).compile())
      if (!isDeepStrictEqual(query.parameters, parameters)) throw new Error('a prepared query binds its parameters in another order')
      compiled.set(engine, (known = { query, tables: tablesOf(query.query) }))
    }
    return known
  }

  return (db, ...parameters) => {
    const { query, tables } = compile(db, parameters)
    // If the read has to wait, its rows may be newer than this version, never older: then they are merely read again.
    const state = stateOf(db)
    if (!state || (state.covers && !isCovered(tables, state.covers))) return ask(db, query, parameters)
    return after(state.asked ? state.asked() : state.version, version => {
      const { of } = state
      let since = kept.get(of)
      if (!since || since.version !== version) kept.set(of, (since = { version, size: 0, answers: new Map() }))
      const key = parameters.length === 1 ? String(parameters[0]) : parameters.join('\0') // joining takes longer than all else here
      return since.answers.get(key) ?? askAndKeep(db, query, parameters, since, key)
    })
  }
}

async function askAndKeep<O>(db: Db, query: CompiledQuery<O>, parameters: readonly unknown[], since: Since<O>, key: string): Promise<O[]> {
  const rows = await ask(db, query, parameters)
  const size = since.size + 1 + rows.length
  if (size <= maxKept) {
    since.size = size
    since.answers.set(key, rows)
  }
  return rows
}

const ask = async <O>(db: Db, query: CompiledQuery<O>, parameters: readonly unknown[]): Promise<O[]> =>
  (await db.executeQuery<O>({ ...query, parameters })).rows

/** The answers since a change of the database. */
interface Since<O> {
  readonly version: unknown
  size: number
  readonly answers: Map<string, readonly O[]>
}

interface Compiled<O> {
  readonly query: CompiledQuery<O>
  /** Undefined if they are unknown. */
  readonly tables: ReadonlySet<string> | undefined
}

const isCovered = (tables: ReadonlySet<string> | undefined, covers: ReadonlySet<string>): boolean =>
  tables !== undefined && [...tables].every(name => covers.has(name))

/** The tables that a query names; undefined if it has SQL of its own that may name others. */
function tablesOf(query: object): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  let isKnown = true
  const look = (node: object): void => {
    if ('kind' in node && node.kind === 'ReferenceNode') return // to a column, by the alias of its table
    if ('kind' in node && node.kind === 'TableNode') names.add((node as TableNode).table.identifier.name)
    if ('sqlFragments' in node && /\b(from|join)\b/i.test(String(node.sqlFragments))) isKnown = false
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) look(child as object)
  }
  look(query)
  return isKnown ? names : undefined
}
