/** Finds the ids of texts, and numbers those that are new. Run under `lockSites`, so that ids are dense. */
import type { Store, Trx } from '../store.ts'
import { insertInto, int, type Later, matching, statement, text } from './statements.ts'
import { storableText } from './storable.ts'

/** A text whose id is not known yet. */
interface NewWord extends Later {
  readonly site: number
  readonly dictionary: number
  readonly value: string
  id: number
}

/** The ids one transaction needs. Rows may hold one before it is settled. */
export interface Ids {
  /** 0 for ''. A number passes as it is. */
  of(site: number, dictionary: number, value: string | number): number | Later
  /** Gives every text asked for so far its id. */
  settle(): Promise<void>
  /** The id of a text that was settled. */
  settled(site: number, dictionary: number, value: string): number
  /** To be called once the transaction is committed: from then on other transactions know these ids too. */
  remember(): void
}

const REMEMBERED = 200_000

export function dictionaryIds(store: Store): (trx: Trx) => Ids {
  const find = statement<NewWord, { site_id: number; dim: number; value: string; id: number | null; last: number }>(
    store,
    { site_id: int(word => word.site), dim: int(word => word.dictionary), value: text(word => word.value) },
    `select given.*,
       (select id from dict where ${matching(['site_id', 'dim', 'value'], 'dict', 'given')}) as id,
       coalesce((select max(id) from dict where ${matching(['site_id', 'dim'], 'dict', 'given')}), 0) as last
     from given`,
  )
  const insert = insertInto<NewWord, 'dict'>(store, 'dict', {
    site_id: int(word => word.site),
    dim: int(word => word.dictionary),
    id: int(word => word.id),
    value: text(word => word.value),
  })
  const cache = wordCache(REMEMBERED)

  return trx => {
    const words = new Map<string, NewWord>()
    let unsettled: NewWord[] = []

    async function settle(): Promise<void> {
      const asked = unsettled
      unsettled = []
      const added: NewWord[] = []
      const last = new Map<string, number>()
      for (const row of await find(asked)(trx)) {
        const word = words.get(keyOf(row.site_id, row.dim, row.value))
        if (!word) continue
        const dictionary = `${row.site_id} ${row.dim}`
        word.id = row.id ?? (last.get(dictionary) ?? row.last) + 1
        if (row.id !== null) continue
        last.set(dictionary, word.id)
        added.push(word)
      }
      await insert(added)(trx)
    }

    function of(site: number, dictionary: number, given: string | number): number | Later {
      if (typeof given === 'number') return given
      const known = given === '' ? 0 : cache.get(site, dictionary, given)
      if (known !== undefined) return known
      const value = storableText(given)
      if (value === '') return 0
      const key = keyOf(site, dictionary, value)
      const asked = words.get(key)
      if (asked) return asked
      const word = { site, dictionary, value, id: 0, settled: idOf }
      words.set(key, word)
      unsettled.push(word)
      return word
    }

    return {
      of,
      settle,
      settled(site, dictionary, value) {
        const id = of(site, dictionary, value)
        return typeof id === 'number' ? id : id.settled()
      },
      remember() {
        for (const { site, dictionary, value, id } of words.values()) cache.set(site, dictionary, value, id)
      },
    }
  }
}

const keyOf = (site: number, dictionary: number, value: string): string => `${site} ${dictionary} ${value}`

function idOf(this: NewWord): number {
  return this.id
}

/** Forgets everything when it is full: what is in use comes back with one query. */
function wordCache(limit: number) {
  const sites = new Map<number, Map<number, Map<string, number>>>()
  let size = 0
  return {
    get: (site: number, dictionary: number, value: string) => sites.get(site)?.get(dictionary)?.get(value),
    set(site: number, dictionary: number, value: string, id: number) {
      if (++size > limit) {
        sites.clear()
        size = 1
      }
      const dictionaries = sites.get(site) ?? new Map<number, Map<string, number>>()
      const values = dictionaries.get(dictionary) ?? new Map<string, number>()
      sites.set(site, dictionaries.set(dictionary, values.set(value, id)))
    },
  }
}
