/** A Postgres whose commits take a given time, as where a standby in another place confirms them, and sites to send hits to. */
import pg from 'pg'
import type { BenchServer } from './running.ts'

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

/** Makes a site in the workspace of the first of these servers. */
export async function makeSite([first]: readonly BenchServer[], domain: string): Promise<void> {
  if (!first) throw new Error('no server was started')
  const made = await fetch(`${first.address}/workspaces/${first.workspace_id}/sites.json`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${first.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ domain }),
  })
  if (!made.ok) throw new Error(`${made.status} ${await made.text()}`)
}
