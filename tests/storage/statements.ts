/** The statements that the connections of this process send to Postgres meanwhile, in order. */
import pg from 'pg'

export async function statements<T>(run: () => Promise<T>): Promise<{ found: T; asked: string[] }> {
  const { query } = pg.Client.prototype
  const asked: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    asked.push(typeof given[0] === 'string' ? given[0] : String((given[0] as { text: string }).text))
    return Reflect.apply(query, this, given) as never
  } as typeof query
  try {
    return { found: await run(), asked }
  } finally {
    pg.Client.prototype.query = query
  }
}
