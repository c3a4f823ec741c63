/**
 * Statements that run often begin with a comment that names them: the file that has the statement, and what it does there,
 * such as `days.spans`. So a slow query in a log of the database leads to its place in the sources.
 */
import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from '../tables/db.ts'

/** Puts the name of a statement in front of its SQL. */
export const named = <O>(name: string, query: CompiledQuery<O>): CompiledQuery<O> => ({ ...query, sql: `/* ${name} */ ${query.sql}` })

/** Runs a query under its name. */
export const runNamed = <O>(db: Db, name: string, query: Compilable<O>): Promise<QueryResult<O>> =>
  db.executeQuery(named(name, query.compile()))
