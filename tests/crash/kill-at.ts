/**
 * Chooses where a process dies: before its n-th statement to the database, counted from the call. The moment depends on what the
 * process does, not on how fast the machine is, so the same number kills at the same place.
 */
import { DefaultQueryExecutor } from 'kysely'

/** Counts the statements of this process, on either engine. @returns a function that returns the number so far */
export function countStatements(before: (count: number) => void = () => {}): () => number {
  let count = 0
  const executor: { executeQuery(...given: unknown[]): unknown } = Object.getPrototypeOf(DefaultQueryExecutor.prototype)
  const { executeQuery } = executor
  executor.executeQuery = function (...given) {
    before(++count)
    return Reflect.apply(executeQuery, this, given)
  }
  return () => count
}

/** Kills this process with -9 before its n-th statement. */
export function killAt(n: number): void {
  countStatements(count => {
    if (count === n) process.kill(process.pid, 'SIGKILL')
  })
}
