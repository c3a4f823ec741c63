/** Checks that sealed texts can be opened: a database without a key of its secrets stops the start. */
import { keyFileOf } from '../../storage/installation/instance-key.ts'
import type { Store } from '../../storage/store.ts'
import type { Config } from './config.ts'
import { countByKey, type OwnedColumn, type SealingTable, sealedColumns, valuesUnder } from './sealed-columns.ts'
import { keysHere } from './secret-keys.ts'

interface KeyServices {
  readonly store: Store
  readonly config: Pick<Config, 'SECRET_KEY'>
  random(size: number): Buffer
}

/** Values of a column that no key of this installation opens. */
export interface Lost {
  readonly column: OwnedColumn
  readonly count: number
  /** Ids of the keys that sealed them. */
  readonly keys: readonly string[]
}

/** Values that were sealed with keys that this installation does not have, by column. */
export async function lostSecrets({ store, config, random }: KeyServices, table: SealingTable): Promise<Lost[]> {
  const ownKeys = new Set((await keysHere(store, config.SECRET_KEY, random)).map(({ id }) => id))
  const lost: Lost[] = []
  for (const column of sealedColumns(table)) {
    const others = [...(await countByKey(store.read, column))].filter(([id]) => !ownKeys.has(id))
    const count = others.reduce((sum, [, count]) => sum + count, 0)
    if (count > 0) lost.push({ column, count, keys: others.map(([id]) => id) })
  }
  return lost
}

/** Most records of each column that an error names. */
const named = 5

/** @throws Error that names what cannot be opened, and what to do */
export async function checkSealed(services: KeyServices, table: SealingTable): Promise<void> {
  const lost = await lostSecrets(services, table)
  if (lost.length === 0) return
  const lines = await Promise.all(lost.map(each => describe(services.store, each)))
  const file = keyFileOf(services.store)
  throw new Error(
    [
      'Secrets in this database were sealed under a key that is not here:',
      ...lines.map(line => `  ${line}`),
      `Bring the key back: add it to SECRET_KEY, after the new one (SECRET_KEY=new,old)${file === undefined ? '' : `, or restore ${file} from the backup`}.`,
      'If it is lost for good, `npm run keys -- abandon` empties these secrets; each has to be set again.',
    ].join('\n'),
  )
}

/** `Webhooks: 3 values of webhooks.secret (wh_1, wh_2, wh_3)`. Only the first column of a key is shown: others may name a person. */
async function describe({ read }: Store, { column, count, keys }: Lost): Promise<string> {
  const values = await valuesUnder(read, { column, ids: keys, limit: named })
  const ids = [...new Set(values.map(({ key: [id = ''] }) => id))]
  return `${column.area}: ${count} ${count === 1 ? 'value' : 'values'} of ${column.table}.${column.column} (${ids.join(', ')}${count > named ? ', …' : ''})`
}
