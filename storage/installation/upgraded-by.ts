/** Which version changed the schema last, for the message of an older version. */
import { sql } from 'kysely'
import { tableNames } from '../sql/table-names.ts'
import type { Store } from '../store.ts'

const NAME = 'upgraded-by'

/** @param version for example `0.7.0 (commit 1a2b3c4d5e6f)` */
export async function noteUpgrade({ write }: Store, version: string): Promise<void> {
  await sql`insert into instance_secrets (name, value) values (${NAME}, ${version})
    on conflict (name) do update set value = excluded.value`.execute(write)
}

/** @returns undefined if a version before 0.7 did */
export async function upgradedBy({ write, dialect }: Store): Promise<string | undefined> {
  if (!(await tableNames(write, dialect)).has('instance_secrets')) return undefined
  const { rows } = await sql<{ value: string }>`select value from instance_secrets where name = ${NAME}`.execute(write)
  return rows[0]?.value
}
