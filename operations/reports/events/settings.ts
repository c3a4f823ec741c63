/** Reads and changes the settings of a site's events and properties. */
import { fail } from '../../../runtime/table/errors.ts'
import { dictionaryOf } from '../../../storage/hits/dictionaries.ts'
import { type Db, isUniqueViolation } from '../../../storage/store.ts'
import type { EventSettingRow, PropertySettingRow } from '../../../storage/tables/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { m } from './messages.ts'

type Changed<Row> = { readonly [K in keyof Row]?: Row[K] | undefined }

interface SetEvent {
  readonly key: Pick<EventSettingRow, 'site_id' | 'name'>
  readonly changed: Changed<EventSettingRow>
  readonly now: number
}

/** Changes the settings of one event. Fields that are left out keep their values, or become null in new settings. */
export async function setEvent(db: Db, { key, changed, now }: SetEvent): Promise<EventSettingRow> {
  const fresh = { display_name: null, hidden: 0, currency: null, ...given(changed), updated_at: now }
  return db
    .insertInto('event_settings')
    .values({ ...fresh, ...key })
    .onConflict(on => on.columns(['site_id', 'name']).doUpdateSet({ ...given(changed), updated_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface SetProperty {
  readonly key: Pick<PropertySettingRow, 'site_id' | 'key'>
  readonly changed: Changed<PropertySettingRow>
  readonly now: number
}

/** @throws Failure `already_exists` if another property has this display name */
export async function setProperty(db: Db, { key, changed, now }: SetProperty): Promise<PropertySettingRow> {
  const fresh = { display_name: null, hidden: 0, export_safe: 0, ...given(changed), updated_at: now }
  return db
    .insertInto('property_settings')
    .values({ ...fresh, ...key })
    .onConflict(on => on.columns(['site_id', 'key']).doUpdateSet({ ...given(changed), updated_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) fail('already_exists', m.property_name_taken())
      throw error
    })
}

/** Whether another event has this display name, by its settings or its sent name. */
export async function shownElsewhere(
  db: Db,
  { site, name, shown }: { site: Pick<LiveSite, 'id' | 'number'>; name: string; shown: string },
): Promise<boolean> {
  const settings = await db
    .selectFrom('event_settings')
    .select(['name', 'display_name'])
    .where('site_id', '=', site.id)
    .where(({ or, eb }) => or([eb('display_name', '=', shown), eb('name', 'in', [name, shown])]))
    .execute()
  if (settings.some(setting => setting.name === name && setting.display_name === shown)) return false // unchanged
  if (settings.some(setting => setting.name !== name && setting.display_name === shown)) return true
  const renamed = settings.some(setting => setting.name === shown && setting.display_name !== null)
  if (shown === name || renamed) return false
  const sent = await db
    .selectFrom('dict')
    .select('id')
    .where('site_id', '=', site.number)
    .where('dim', '=', dictionaryOf.event)
    .where('value', '=', shown)
    .executeTakeFirst()
  return sent !== undefined
}

const given = <Row extends object>(changed: Row): Partial<Row> =>
  Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) as Partial<Row>

export async function propertySettings(db: Db, siteId: string): Promise<ReadonlyMap<string, PropertySettingRow>> {
  const rows = await db.selectFrom('property_settings').selectAll().where('site_id', '=', siteId).execute()
  return new Map(rows.map(row => [row.key, row]))
}
