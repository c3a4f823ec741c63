/** Counts new texts of a day for its limits, in the database, so that all processes share the count. */
import type { Store, Trx } from '../store.ts'
import { insertInto, int } from '../sql/row-statements.ts'

/** The site of a text, and the day whose limit it counts towards. */
export interface OfDay {
  readonly site: number
  readonly day: number
}

export interface NewText extends OfDay {
  readonly dictionary: number
}
interface Sum extends NewText {
  count: number
}

/** Makes a counter that writes one row for each dictionary and day, as Postgres can change a row only once in a statement. */
export function newTextCounter(store: Store): (trx: Trx, texts: readonly NewText[]) => Promise<unknown> {
  const put = insertInto<Sum, 'new_texts'>(store, {
    name: 'new-texts.count',
    table: 'new_texts',
    columns: {
      site_id: int(sum => sum.site),
      day: int(sum => sum.day),
      dim: int(sum => sum.dictionary),
      count: int(sum => sum.count),
    },
    conflict: 'on conflict (site_id, day, dim) do update set count = new_texts.count + excluded.count',
  })
  return (trx, texts) => {
    const sums = new Map<string, Sum>()
    for (const { site, day, dictionary } of texts) {
      const key = `${site} ${day} ${dictionary}`
      const sum = sums.get(key) ?? { site, day, dictionary, count: 0 }
      sum.count++
      sums.set(key, sum)
    }
    return put([...sums.values()])(trx)
  }
}
