/**
 * Automatic incidents: Footfall opens one if a check of a page with `auto_incidents` is down for 5 minutes. A page has at
 * most one at a time, which further checks join. Footfall resolves it when all of them are up. The database allows one for
 * each page, and one for each outage of a check, so several processes do not open a second one.
 */
import type { Trx } from '../../../storage/store.ts'
import type { StatusIncidentRow } from '../../../storage/tables/status-pages.ts'
import { clipped } from '../../../runtime/values/clip.ts'
import { among } from '../../../runtime/table/schema.ts'
import { labelOf, listed } from './label.ts'
import { ids, languageOf, lockIncident } from './records.ts'
import { limits } from './limits.ts'
import { statuses } from './timeline.ts'
import { addUpdate, type UpdateContext } from './updates.ts'
import { m } from './messages.ts'
import { sayIn } from '../../../runtime/texts/say.ts'

const PATIENCE_MS = 5 * 60_000

type ReadContext = Pick<UpdateContext, 'db' | 'now'>

/** Outages that have lasted long enough and that no incident of the page was opened for. */
function outagesQuery({ db, now }: ReadContext) {
  return db
    .selectFrom('uptime_incidents as o')
    .innerJoin('uptime_checks as c', 'c.number', 'o.check_number')
    .innerJoin('status_page_checks as p', 'p.check_number', 'c.number')
    .innerJoin('status_pages as s', 's.id', 'p.page_id')
    .whereRef('c.workspace_id', '=', 's.workspace_id')
    .where('o.resolved_at', 'is', null)
    .where('o.started_at', '<=', now - PATIENCE_MS)
    .where('c.status', '=', 'down')
    .where('c.public', '=', 1)
    .where('s.auto_incidents', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('status_incident_checks as k')
            .innerJoin('status_incidents as i', 'i.id', 'k.incident_id')
            .select('i.id')
            .whereRef('k.outage_id', '=', 'o.id')
            .whereRef('i.page_id', '=', 's.id'),
        ),
      ),
    )
}

/** Pages with outages that no incident reports yet. */
export async function pagesWithNewOutages(reading: ReadContext): Promise<string[]> {
  const rows = await outagesQuery(reading).select('s.id').distinct().limit(100).execute()
  return rows.map(({ id }) => id)
}

/** Opens the automatic incident of a page, or adds further checks that are down. Locks the page. */
export async function openAutomatic(context: UpdateContext & { readonly db: Trx }, pageId: string): Promise<void> {
  const { db } = context
  const page = await db
    .updateTable('status_pages')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', pageId)
    .returning(['id', 'language'])
    .executeTakeFirst()
  if (!page) return
  const outages = await outagesQuery(context)
    .select(['o.id as outage', 'o.started_at', 'c.number', 'c.name', 'c.url', 'c.host', 'p.label'])
    .where('s.id', '=', pageId)
    .orderBy('o.started_at')
    .orderBy('c.number')
    .execute()
  const [first] = outages
  if (!first) return
  const say = await sayIn(page.language)
  const [what, isOne] = [listed(outages.map(labelOf), say), outages.length === 1]
  const open = await db.selectFrom('status_incidents').select('id').where('automatic_for', '=', pageId).executeTakeFirst()
  const before = open && (await lockIncident(db, open.id))
  const incident =
    before ??
    (await insertIncident(context, { pageId, title: say(isOne ? m.what_is_down : m.what_are_down, { what }), startedAt: first.started_at }))
  for (const { outage, number } of outages)
    await db
      .insertInto('status_incident_checks')
      .values({ incident_id: incident.id, check_number: number, outage_id: outage })
      .onConflict(conflict => conflict.columns(['incident_id', 'check_number']).doUpdateSet({ outage_id: outage }))
      .execute()
  const updates = await db.selectFrom('status_incident_updates').select('id').where('incident_id', '=', incident.id).execute()
  if (updates.length >= limits.updates) return
  const body = before ? say(isOne ? m.what_is_down_too : m.what_are_down_too, { what }) : say(m.we_have_noticed_this_automatically_and)
  await addUpdate(context, incident, { status: before ? among(statuses, incident.status) : 'investigating', body, notify: true })
}

function insertIncident(
  { db, now, newId }: UpdateContext,
  { pageId, title, startedAt }: { pageId: string; title: string; startedAt: number },
): Promise<StatusIncidentRow> {
  return db
    .insertInto('status_incidents')
    .values({
      id: newId(ids.status_incident),
      page_id: pageId,
      kind: 'incident',
      title: clipped(title, 150),
      impact: 'major',
      status: 'investigating',
      automatic: 1,
      automatic_for: pageId,
      starts_at: startedAt,
      ends_at: null,
      clock_at: null,
      notify_at: null,
      notify_since: null,
      notify_after: '',
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Selects automatic incidents whose outages have all ended. */
function overQuery({ db }: ReadContext) {
  return db
    .selectFrom('status_incidents as i')
    .where('i.automatic_for', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('status_incident_checks as k')
            .innerJoin('uptime_incidents as o', 'o.id', 'k.outage_id')
            .select('o.id')
            .whereRef('k.incident_id', '=', 'i.id')
            .where('o.resolved_at', 'is', null),
        ),
      ),
    )
}

export async function automaticOver(reading: ReadContext): Promise<string[]> {
  const rows = await overQuery(reading).select('i.id').limit(100).execute()
  return rows.map(({ id }) => id)
}

/** Resolves an automatic incident, unless a check went down again or a member has resolved it in the meantime. */
export async function resolveAutomatic(context: UpdateContext & { readonly db: Trx }, id: string): Promise<void> {
  const incident = await lockIncident(context.db, id)
  const over = incident && (await overQuery(context).select('i.id').where('i.id', '=', id).executeTakeFirst())
  if (!incident || !over) return
  const say = await sayIn(await languageOf(context.db, incident.page_id))
  await addUpdate(context, incident, { status: 'resolved', body: say(m.everything_is_up_again), notify: true })
}
