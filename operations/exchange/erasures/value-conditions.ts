/** Finds the properties that have a value of a person, for example an e-mail address or a hash of it. */
import { createHash } from 'node:crypto'
import { dictionaryOf, propertyDictionary } from '../../../storage/hits/dictionaries.ts'
import type { Db } from '../../../storage/store.ts'
import type { Condition } from '../../../storage/engine/vocabulary/scope.ts'

/** Sites hash addresses before they send them, often in lower case. */
const HASHES = ['md5', 'sha1', 'sha256'] as const
/** Properties with the value, at most: a query tests each. */
const MAX_KEYS = 200

/** The value, its spelling in lower case, and the hashes of both, in hexadecimal digits. */
export function spellingsOf(value: string): string[] {
  const plain = [...new Set([value, value.trim(), value.trim().toLowerCase()])]
  return [...plain, ...plain.flatMap(text => HASHES.map(name => createHash(name).update(text).digest('hex')))]
}

/** @returns a condition that visits with the value meet; undefined if no property of the site has it */
export async function valueCondition(db: Db, site: number, value: string): Promise<Condition | undefined> {
  const rows = await db
    .selectFrom('dict as value')
    .innerJoin('dict as key', join =>
      join
        .onRef('key.site_id', '=', 'value.site_id')
        .on('key.dim', '=', dictionaryOf.prop_key)
        .on(({ eb, ref }) => eb(ref('value.dim'), '=', eb(ref('key.id'), '+', propertyDictionary(0)))),
    )
    .where('value.site_id', '=', site)
    .where('value.value', 'in', spellingsOf(value))
    .select(['key.value as key', 'value.value as value'])
    .orderBy('key.value')
    .limit(MAX_KEYS)
    .execute()
  if (rows.length === 0) return undefined
  const test = (of: (typeof rows)[number]) => ({
    dimension: `property:${of.key}`,
    operator: 'is' as const,
    values: [of.value],
    pointer: '/value',
  })
  return { any: rows.map(test) }
}
