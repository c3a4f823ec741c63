/** Copies of days that are packed in the database itself. */
import { sql, type SqlBool } from 'kysely'
import { dateOf } from '../calendar/zones.ts'
import { openBlock } from '../packed/block.ts'
import { packDay, unpackRows } from '../packed/day-blocks.ts'
import type { Db } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { putNote } from './copy-notes.ts'
import type { DayStore } from './day-store.ts'

export const packedDays: DayStore = {
  name: 'packed',
  async put(_, rows) {
    return [...packDay(rows)]
  },
  async use(trx, of, note) {
    await putNote(trx, of, note)
    return true
  },
  async isWhole(db, { site, day, visits, hits }) {
    const found = { visits: 0, hits: 0 }
    for (const data of await blocksOf(db, site, day)) {
      const { counts } = openBlock(data)
      found.visits += counts.visits
      found.hits += counts.hits
      await yieldWhereDue()
    }
    return found.visits === visits && found.hits === hits
  },
  async *parts(db, site, { day }) {
    const blocks = await blocksOf(db, site, day)
    for (const data of blocks) {
      yield unpackRows(data)
      await yieldWhereDue()
    }
  },
  incomplete: day =>
    new Error(`the day ${dateOf(day)} is packed, and its blocks are not complete: npm run packed -- check lists such days`),
  // Its number says of which `rev` it is.
  isCurrent: copy => sql<SqlBool>`${copy} = -1 - rev`,
}

/** The blocks of a day, in order. */
export async function blocksOf(db: Db, site: number, day: number): Promise<Uint8Array[]> {
  const ofDay = db.selectFrom('day_blocks').select('data').where('site_id', '=', site).where('day', '=', day)
  return (await ofDay.orderBy('block').execute()).map(({ data }) => data)
}
