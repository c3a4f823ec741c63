/** Moves the channels of alerts from a list of ids to rows, so that a deleted channel leaves its alerts by foreign key. */
import { sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const alertChannels: Conversion = async (db, { name }) => {
  const listed =
    name === 'postgres'
      ? sql`lateral json_array_elements_text(a.channel_ids::json) with ordinality as l(value, key)`
      : sql`json_each(a.channel_ids) as l`
  await sql`
    insert into alert_channels (alert_id, channel_id, position)
    select a.id, c.id, min(l.key) from alerts as a cross join ${listed} join channels as c on c.id = l.value
    group by a.id, c.id`.execute(db)
  await sql`alter table alerts drop column channel_ids`.execute(db)
}
