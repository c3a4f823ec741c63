import type { Db } from '../../../storage/store.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'

const LINES_AT_ONCE = 1_000

/** Deletes the refused lines of a site that have one of the values, in any case. SQLite's `lower` and `like` know only the case of ASCII. */
export async function forgetRefusedLines(db: Db, siteId: string, values: readonly string[]): Promise<void> {
  const wanted = [...new Set(values.flatMap(value => [value, JSON.stringify(value).slice(1, -1)]).map(text => text.toLowerCase()))]
  const hasValue = ({ text }: { text: string }): boolean => {
    const lower = text.toLowerCase()
    return wanted.some(value => lower.includes(value))
  }
  for (const { id } of await db.selectFrom('imports').select('id').where('site_id', '=', siteId).execute()) {
    for (let after = -1; ; ) {
      const lines = db.selectFrom('import_refusals').select(['seq', 'text']).where('import_id', '=', id).where('seq', '>', after)
      const rows = await lines.orderBy('seq').limit(LINES_AT_ONCE).execute()
      const gone = rows.filter(hasValue).map(({ seq }) => seq)
      if (gone.length > 0) await db.deleteFrom('import_refusals').where('import_id', '=', id).where('seq', 'in', gone).execute()
      if (rows.length < LINES_AT_ONCE) break
      after = rows.at(-1)?.seq ?? after
      await yieldWhereDue()
    }
  }
}
