/** `npm run keys`: which keys of SECRET_KEY are still needed; `reseal` and `abandon`. docs/operations.md says more. */
import { table } from '../operations/index.ts'
import { lostSecrets } from '../runtime/settings/check-sealed.ts'
import { openResources } from '../runtime/settings/resource.ts'
import { countByKey, emptyValues, sealAgain, sealedColumns } from '../runtime/settings/sealed-columns.ts'
import { secretBox } from '../runtime/settings/secret-box.ts'
import { type Key, keysHere } from '../runtime/settings/secret-keys.ts'
import { openLog } from '../runtime/observability/log.ts'
import type { Config } from '../runtime/settings/config.ts'
import { keyFileOf } from '../storage/installation/instance-key.ts'
import type { Store } from '../storage/store.ts'
import { commandLine } from './command-line.ts'
import { command, random, withDatabase } from './machine.ts'

const program = commandLine('keys')
const print = (line: string) => process.stdout.write(`${line}\n`)
const values = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'value' : 'values'}`

/** `key 1 of SECRET_KEY`, or where the key is that the installation generated. */
function nameOf(store: Store, key: Key, at: number): string {
  if (key.isOwn) return keyFileOf(store) ?? 'the key inside the database'
  return key.isList ? 'SECRET_KEY as one key, with its commas' : `key ${at + 1} of SECRET_KEY`
}

async function showKeys(store: Store, { SECRET_KEY }: Config): Promise<void> {
  const keys = await keysHere(store, SECRET_KEY, random)
  if (keys.length === 0) print('There is no key yet: one is made when the first secret is stored.')
  const counted = await Promise.all(sealedColumns(table).map(async column => ({ ...column, counts: await countByKey(store.read, column) })))
  for (const [at, key] of keys.entries()) {
    const found = counted.flatMap(({ area, counts }) => ({ area, count: counts.get(key.id) ?? 0 })).filter(({ count }) => count > 0)
    const total = found.reduce((sum, { count }) => sum + count, 0)
    if (key.isList && total === 0) continue // not meant as a key
    print(`${key.id}  ${nameOf(store, key, at)}: ${values(total)}${at === 0 ? ', and it seals new ones' : ''}`)
    for (const { area, count } of found) print(`            ${area}: ${values(count)}`)
    if (at > 0)
      print(
        `            ${total === 0 ? 'It may go. Signed links made with it end then.' : 'It is needed until these are sealed again: npm run keys -- reseal'}`,
      )
  }
  const lost = await lostSecrets({ store, config: { SECRET_KEY }, random }, table)
  for (const { column, count } of lost) print(`lost: ${column.area}: ${values(count)} sealed under a key that is not here`)
  if (lost.length > 0) process.exitCode = 1
}

program
  .command('status')
  .description('keys with the number of secrets that each of them sealed, and whether it may go')
  .action(() => command(config => withDatabase(config, store => showKeys(store, config))))

program
  .command('reseal')
  .description('seal secrets again with the newest key now; the service does so every hour')
  .action(() =>
    command(config =>
      withDatabase(config, async (store, now) => {
        const [, ...older] = await keysHere(store, config.SECRET_KEY, random)
        const resources = openResources({ store, config, log: openLog(config.LOG_LEVEL), now, random })
        const ids = older.map(({ id }) => id)
        let count = 0
        for (const column of ids.length > 0 ? sealedColumns(table) : []) {
          count += await sealAgain(store, resources.use(secretBox), { column, ids, step: async () => true })
        }
        await resources.close()
        print(`${values(count)} sealed again`)
        await showKeys(store, config)
      }),
    ),
  )

program
  .command('abandon')
  .description('empty the secrets whose key is lost for good, so that the service starts; each has to be set again')
  .action(() =>
    command(config =>
      withDatabase(config, async store => {
        const lost = await lostSecrets({ store, config, random }, table)
        for (const { column, keys } of lost) {
          const count = await emptyValues(store.write, column, keys)
          print(`${column.area}: ${values(count)} of ${column.table}.${column.column} emptied`)
        }
        if (lost.length === 0) print('Every secret can be opened: nothing is emptied.')
      }),
    ),
  )

export async function run(): Promise<void> {
  if (process.argv.length === 2) process.argv.push('status')
  await program.parseAsync()
}
