/** The channels of an alert as rows, so that a deleted channel leaves its alerts by foreign key. */
import { sql } from 'kysely'
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const alertChannels: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'alert_channels',
    {
      alert_id: ['text', 'references alerts(id) on delete cascade'],
      channel_id: ['text', 'references channels(id) on delete cascade'],
      position: 'int',
    },
    { key: 'alert_id, channel_id', kind: 'keyed' },
  )
  await createIndex(db, 'alert_channels', 'channel_id')
  const listed =
    dialect.name === 'postgres'
      ? sql`lateral json_array_elements_text(a.channel_ids::json) with ordinality as l(value, key)`
      : sql`json_each(a.channel_ids) as l`
  await sql`
    insert into alert_channels (alert_id, channel_id, position)
    select a.id, c.id, min(l.key) from alerts as a cross join ${listed} join channels as c on c.id = l.value
    group by a.id, c.id`.execute(db)
  await sql`alter table alerts drop column channel_ids`.execute(db)
}
