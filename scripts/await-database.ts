/** Waits for a database that was away at the start, with a line in the log every few seconds. */
import { setTimeout } from 'node:timers/promises'
import type { App } from '../runtime/app.ts'
import type { Config } from '../runtime/settings/config.ts'
import { installationId } from '../storage/installation/installation-id.ts'
import { openStore } from '../storage/store.ts'
import { openChecked } from './open-database.ts'

/** Ms between two attempts, and between two lines of the same reason. */
const againMs = 1_000
const sayMs = 10_000

/**
 * Resolves when the database is back, migrated and checked. A fault meanwhile may pass, even if it is not an outage: a backup
 * is being restored, a role is being made.
 * @param installation its id: another database, or an empty one, is not touched
 * @param completeStart runs once the database is back; if it fails, it runs again
 * @returns when the start is complete, or the signal came
 */
export async function awaitDatabase({
  config,
  table,
  log,
  installation,
  signal,
  completeStart,
}: { config: Config; installation: string; signal: AbortSignal; completeStart(): Promise<void> } & Pick<
  App,
  'table' | 'log'
>): Promise<void> {
  let said = { reason: '', at: -Infinity }
  while (!signal.aborted) {
    try {
      await checkInstallation(config, installation)
      await (await openChecked(config, table)).close()
      await completeStart()
      log.warn('the database is back')
      return
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== said.reason || performance.now() >= said.at + sayMs) {
        said = { reason, at: performance.now() }
        log.warn({ reason }, 'hits wait for the database, which is tried again')
      }
    }
    await setTimeout(againMs, undefined, { signal }).catch(() => {})
  }
}

/** Before anything is migrated. @throws Error if it is another installation, or none yet */
async function checkInstallation(config: Config, installation: string): Promise<void> {
  const store = openStore(config.DATABASE_URL, { connections: 1 })
  try {
    const id = await installationId(store.read)
    if (id !== installation)
      throw new Error(
        `The database at DATABASE_URL belongs to installation ${id}, but hits wait for ${installation}: start again if this is right`,
      )
  } finally {
    await store.close()
  }
}
