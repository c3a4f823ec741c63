/** Looks up ids of texts and numbers new texts. Call with the sites locked (`lockSites`), so that ids are dense. */
import type { Store, Trx } from '../store.ts'
import { type CardinalityLimits, limitOf, OTHER } from './cardinality.ts'
import { mayMove } from './dictionaries.ts'
import { newTextCounter, type OfDay } from './new-texts.ts'
import { insertInto, int, type Later, matching, statement, text } from '../sql/row-statements.ts'
import { storableText } from './value-limits.ts'
import { idCache } from './id-cache.ts'

/** A text whose id is not known yet. */
interface NewEntry extends OfDay, Later {
  readonly dictionary: number
  readonly value: string
  id: number
  /** The day is over its limit: `id` is the one of `(other)`. */
  refused: boolean
}

/** The ids of one transaction. Rows may use one before it is settled. */
export interface Ids {
  /** Returns the id of a text: 0 for ''. A number is returned unchanged. */
  of(day: OfDay, dictionary: number, value: string | number): number | Later
  /** Assigns ids to all texts requested so far. */
  settle(): Promise<void>
  /** The id of a settled text. */
  settled(day: OfDay, dictionary: number, value: string): number
  /** Call after the commit: makes these ids known to later transactions. */
  remember(): void
}

interface Found {
  readonly site_id: number
  readonly day: number
  readonly dim: number
  readonly value: string
  readonly id: number | null
  /** Highest id of the dictionary. */
  readonly last: number
  /** New texts of the day in the dictionary. */
  readonly added: number
  /** 1 if it may be about to be forgotten, like any text of the site that erased rows had. */
  readonly erased: number
}

const REMEMBERED = 200_000

export function dictionaryIds(store: Store, limits: CardinalityLimits): (trx: Trx) => Ids {
  const columns = {
    site_id: int<NewEntry>(entry => entry.site),
    dim: int<NewEntry>(entry => entry.dictionary),
    value: text<NewEntry>(entry => entry.value),
  }
  // The order makes Postgres use the index of texts. Until a new table has statistics it may take the index of ids for as good, and
  // read every text of the dictionary for each.
  const find = statement<NewEntry, Found>(store, {
    name: 'dictionary-ids.find',
    columns: { ...columns, day: int(entry => entry.day) },
    body: `select given.*,
       (select case when next.value = given.value then next.id end from
         (select value, id from dict where ${matching(['site_id', 'dim'], 'dict', 'given')} and dict.value >= given.value order by value limit 1) as next)
         as id,
       coalesce((select max(id) from dict where ${matching(['site_id', 'dim'], 'dict', 'given')}), 0) as last,
       coalesce((select count from new_texts where ${matching(['site_id', 'day', 'dim'], 'new_texts', 'given')}), 0)
         as added,
       case when exists (select 1 from erased_texts where erased_texts.site_id = given.site_id) then 1 else 0 end as erased
     from given`,
  })
  const insert = insertInto<NewEntry, 'dict'>(store, {
    name: 'dictionary-ids.insert',
    table: 'dict',
    columns: { ...columns, id: int(entry => entry.id) },
  })
  const keep = statement<NewEntry>(store, {
    name: 'dictionary-ids.keep',
    columns: { site_id: columns.site_id, dim: columns.dim, id: int(entry => entry.id) },
    body: 'delete from erased_texts where (site_id, dim, id) in (select site_id, dim, id from given)',
  })
  const count = newTextCounter(store)
  const cache = idCache(REMEMBERED)

  return trx => {
    const entries = new Map<string, NewEntry>()
    let unsettled: NewEntry[] = []

    async function settle(): Promise<void> {
      const asked = unsettled
      unsettled = []
      const found = await find(asked)(trx)
      const added = numbered(found)
      if (found.some(({ erased }) => erased === 1)) await keep(asked.filter(entry => !entry.refused))(trx)
      await insert(added)(trx)
      await count(
        trx,
        added.filter(entry => entry.value !== OTHER),
      )
      const refused = asked.filter(entry => entry.refused)
      if (refused.length === 0) return
      const others = refused.map(entry => of(entry, entry.dictionary, OTHER))
      await settle()
      for (const [i, entry] of refused.entries()) entry.id = settledNumber(others[i] ?? 0)
    }

    /** Assigns ids to the entries, within the limits of their days. @returns the new ones */
    function numbered(rows: readonly Found[]): NewEntry[] {
      const news: NewEntry[] = []
      const ids = new Map<string, number>()
      const last = new Map<string, number>()
      const counts = new Map<string, number>()
      for (const row of rows) {
        const entry = entries.get(keyOf({ site: row.site_id, day: row.day }, row.dim, row.value))
        if (!entry) continue
        const text = `${row.site_id} ${row.dim} ${row.value}`
        const known = row.id ?? ids.get(text)
        if (known !== undefined) {
          entry.id = known
          continue
        }
        const ofDay = `${row.site_id} ${row.day} ${row.dim}`
        const before = counts.get(ofDay) ?? row.added
        entry.refused = before >= limitOf(limits, row.dim) && row.value !== OTHER
        if (entry.refused) continue
        const dictionary = `${row.site_id} ${row.dim}`
        entry.id = (last.get(dictionary) ?? row.last) + 1
        last.set(dictionary, entry.id)
        ids.set(text, entry.id)
        if (row.value !== OTHER) counts.set(ofDay, before + 1)
        news.push(entry)
      }
      return news
    }

    function of(day: OfDay, dictionary: number, given: string | number): number | Later {
      if (typeof given === 'number') return given
      const known = given === '' ? 0 : cache.get(day.site, dictionary, given)
      if (known !== undefined) return known
      const value = storableText(given)
      if (value === '') return 0
      const key = keyOf(day, dictionary, value)
      const asked = entries.get(key)
      if (asked) return asked
      const entry = { site: day.site, day: day.day, dictionary, value, id: 0, refused: false, settled: idOf }
      entries.set(key, entry)
      unsettled.push(entry)
      return entry
    }

    return {
      of,
      settle,
      settled: (day, dictionary, value) => settledNumber(of(day, dictionary, value)),
      remember() {
        for (const { site, dictionary, value, id, refused } of entries.values()) {
          if (!refused && !mayMove(dictionary)) cache.set(site, dictionary, value, id)
        }
      },
    }
  }
}

const keyOf = ({ site, day }: OfDay, dictionary: number, value: string): string => `${site} ${day} ${dictionary} ${value}`

const settledNumber = (id: number | Later): number => (typeof id === 'number' ? id : id.settled())

function idOf(this: NewEntry): number {
  return this.id
}
