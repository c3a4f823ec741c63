import { setImmediate } from 'node:timers/promises'
import { sealAgain, sealedColumns } from '../../../runtime/settings/sealed-columns.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { keysHere } from '../../../runtime/settings/secret-keys.ts'
import { task } from '../../../runtime/table/task.ts'
import { expire } from './expire.ts'
import { giveBack } from './give-back.ts'
import { HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

/** Rows deleted in one transaction: few enough that other writers do not wait long. */
const chunk = 1_000

export const rows_expire = task({
  name: 'rows_expire',
  summary: 'Deletes expired rows, for example of old sessions and webhook deliveries',
  every: HOUR_MS,
  lease: 2 * MINUTE_MS,
  async run({ store, table: { expiring }, now, signal, progress }) {
    let rows = 0
    for (const table of expiring) {
      let deleted: number
      do {
        if (signal.aborted) return { more: true }
        deleted = await expire(store, { table, now: now(), limit: chunk })
        progress((rows += deleted), null)
        await setImmediate()
      } while (deleted === chunk)
    }
  },
})

export const space_return = task({
  name: 'space_return',
  summary: 'Returns free pages of the SQLite file to the file system ([Space of the SQLite file](#space-of-the-sqlite-file))',
  every: 10 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run({ store: { file }, signal, progress }) {
    if (file) return { more: await giveBack(file, signal, done => progress(done, null)) }
  },
})

export const secrets_reseal = task({
  name: 'secrets_reseal',
  summary: 'Seals secrets again with the newest key ([SECRET_KEY](#secret_key))',
  every: HOUR_MS,
  atStart: true,
  lease: 2 * MINUTE_MS,
  async run({ store, table, config, random, use, signal, progress }) {
    const [, ...older] = await keysHere(store, config.SECRET_KEY, random)
    if (older.length === 0) return
    const ids = older.map(({ id }) => id)
    let count = 0
    for (const column of sealedColumns(table)) {
      if (signal.aborted) return { more: true }
      const step = async (written: number) => {
        progress((count += written), null)
        await setImmediate()
        return !signal.aborted
      }
      await sealAgain(store, use(secretBox), { column, ids, step })
    }
  },
})
