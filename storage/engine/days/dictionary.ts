/** Texts by id, cached between queries and extended from the last known id. */
import { LRUCache } from 'lru-cache'
import { GONE, mayMove } from '../../hits/dictionaries.ts'
import { prepared } from '../../sql/prepared.ts'
import type { Db } from '../../store.ts'

/** Texts by id; '' at 0. */
export type Dictionary = readonly string[]

export interface Dictionaries {
  /** As of this transaction, including every id in its rows. */
  read(db: Db, site: number, number: number): Promise<Dictionary>
}

interface Kept {
  readonly texts: string[]
  readonly bytes: number
}

const TEXT_OVERHEAD = 24

const entriesFrom = prepared('dictionary.entries', (db, site: number, dictionary: number, id: number) =>
  db
    .selectFrom('dict')
    .select(['id', 'value'])
    .where('site_id', '=', site)
    .where('dim', '=', dictionary)
    .where('id', '>=', id)
    .orderBy('id'),
)

/** @param bytes approximate limit for all dictionaries together */
export function openDictionaries(bytes: number): Dictionaries {
  const known = new LRUCache<string, Kept>({ maxSize: bytes, sizeCalculation: kept => kept.bytes })
  return {
    async read(db, site, number) {
      const key = `${site}/${number}`
      const kept = known.get(key) ?? { texts: [''], bytes: TEXT_OVERHEAD }
      const added = await entriesFrom(db, site, number, kept.texts.length)
      // Texts that were known are gone: none of them stays in memory.
      const isChanged = kept.texts.length > 1 && added.some(({ id, value }) => id >= kept.texts.length && value === GONE)
      const { texts, bytes: before } = isChanged ? { texts: [''], bytes: TEXT_OVERHEAD } : kept
      const rows = isChanged ? await entriesFrom(db, site, number, 1) : added
      let bytes = before
      for (const { id, value } of rows) {
        if (id < texts.length) continue // another query has read it in the meantime
        while (texts.length < id) texts.push('') // ids that were assigned but never used, or whose text is gone
        if (mayMove(number)) forget(texts, value)
        texts.push(value === GONE ? '' : value)
        bytes += TEXT_OVERHEAD + value.length
      }
      // A new entry each time, because the cache asks for an entry's size only once.
      if (bytes !== before || texts.length === 1) known.set(key, { texts, bytes })
      return texts
    },
  }
}

/** Removes the old id of a text that got a new one. */
function forget(texts: string[], value: string): void {
  const id = texts.indexOf(value)
  if (id > 0) texts[id] = ''
}
