/** The id and the key of the installation, and when each step of its schema ran. Secrets stay sealed as they are. */
import fs from 'node:fs'
import { sql } from 'kysely'
import { instanceKey, keyFileOf } from '../installation/instance-key.ts'
import type { Store } from '../store.ts'
import { giveToOwner } from '../system/file-permissions.ts'

const KEY = 'key'

/**
 * A source without a key gets one: with it, the service that still runs seals the hits that wait for the target.
 * @param random makes the key
 */
export async function moveSecrets(source: Store, target: Store, random: (size: number) => Buffer): Promise<void> {
  const key = (await instanceKey(source, source.read, random)).toString('base64')
  const { rows } = await sql<{ name: string; value: string }>`select name, value from instance_secrets where name <> ${KEY}`.execute(
    source.read,
  )
  const { rows: steps } = await sql<{ name: string; timestamp: string }>`select name, timestamp from kysely_migration`.execute(source.read)
  const file = keyFileOf(target)
  const all = file === undefined ? [...rows, { name: KEY, value: key }] : rows
  await target.transaction(async trx => {
    await sql`delete from instance_secrets`.execute(trx)
    for (const { name, value } of all) await sql`insert into instance_secrets (name, value) values (${name}, ${value})`.execute(trx)
    for (const { name, timestamp } of steps)
      await sql`update kysely_migration set timestamp = ${timestamp} where name = ${name}`.execute(trx)
  })
  if (file === undefined) return
  const draft = `${file}.moved`
  fs.writeFileSync(draft, `${key}\n`, { mode: 0o600, flush: true })
  giveToOwner(draft)
  fs.renameSync(draft, file)
}
