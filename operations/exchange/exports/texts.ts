/** Texts of a site's dictionaries by id, loaded as rows need them. */
import type { Db } from '../../../storage/store.ts'

const IDS_AT_ONCE = 1_000
/** Texts cached between batches, at most. */
const MAX_KEPT = 200_000

export interface Texts {
  /** Loads missing texts. @param wanted ids by dictionary */
  load(wanted: ReadonlyMap<number, ReadonlySet<number>>): Promise<void>
  /** A text that was loaded; '' for 0. */
  of(dictionary: number, id: number): string
}

export function textsOf(db: Db, site: number): Texts {
  const known = new Map<string, string>()
  const key = (dictionary: number, id: number) => `${dictionary} ${id}`
  return {
    async load(wanted) {
      if (known.size > MAX_KEPT) known.clear()
      for (const [dictionary, ids] of wanted) {
        const missing = [...ids].filter(id => id !== 0 && !known.has(key(dictionary, id)))
        for (let i = 0; i < missing.length; i += IDS_AT_ONCE) {
          const rows = await db
            .selectFrom('dict')
            .select(['id', 'value'])
            .where('site_id', '=', site)
            .where('dim', '=', dictionary)
            .where('id', 'in', missing.slice(i, i + IDS_AT_ONCE))
            .execute()
          for (const { id, value } of rows) known.set(key(dictionary, id), value)
        }
      }
    },
    of: (dictionary, id) => (id === 0 ? '' : (known.get(key(dictionary, id)) ?? '')),
  }
}

/** Collects ids by dictionary. */
export function wantedTexts() {
  const wanted = new Map<number, Set<number>>()
  return {
    wanted,
    add(dictionary: number, id: number): void {
      const ids = wanted.get(dictionary)
      if (ids) ids.add(id)
      else wanted.set(dictionary, new Set([id]))
    },
  }
}
