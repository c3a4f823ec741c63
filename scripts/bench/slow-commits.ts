/** A Postgres whose commits take a given time, as where a standby in another place confirms them. */
import pg from 'pg'

/** Until it is disposed of, each commit takes so long. @param ms longer than the commit itself */
export async function commitsTaking(url: string, ms: number): Promise<AsyncDisposable> {
  const server = new pg.Client(url)
  await server.connect()
  server.on('error', () => {})
  const delay = async (microseconds: number) => {
    await server.query(`alter system set commit_delay = ${microseconds}`)
    await server.query('select pg_reload_conf()')
  }
  await server.query('alter system set commit_siblings = 0')
  await delay(ms * 1_000)
  return {
    async [Symbol.asyncDispose]() {
      await delay(0)
      await server.end()
    },
  }
}
