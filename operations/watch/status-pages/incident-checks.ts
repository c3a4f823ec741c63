/** The checks that an incident of a page affects. */
import { m } from './messages.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import type { Db } from '../../../storage/store.ts'
import type { StatusPageRow } from '../../../storage/tables/status-pages.ts'

/** Finds the numbers of these checks. A check that neither the page shows nor the incident has is a fault. */
export async function checksOn(
  db: Db,
  { page, given, incidentId = '' }: { page: StatusPageRow; given: readonly string[]; incidentId?: string | undefined },
) {
  const wanted = [...new Set(given)].filter(id => /^[\w-]{1,64}$/.test(id))
  const rows =
    wanted.length === 0
      ? []
      : await db
          .selectFrom('uptime_checks as c')
          .select(['c.id', 'c.number'])
          .where('c.id', 'in', wanted)
          .where(({ or, exists, selectFrom }) =>
            or([
              exists(
                selectFrom('status_page_checks as p')
                  .select('p.label')
                  .whereRef('p.check_number', '=', 'c.number')
                  .where('p.page_id', '=', page.id),
              ),
              exists(
                selectFrom('status_incident_checks as i')
                  .select('i.outage_id')
                  .whereRef('i.check_number', '=', 'c.number')
                  .where('i.incident_id', '=', incidentId),
              ),
            ]),
          )
          .execute()
  const known = new Map(rows.map(({ id, number }) => [id, number]))
  const faults = given.flatMap((id, i): Fault[] =>
    known.has(id)
      ? []
      : [
          {
            pointer: `/check_ids/${i}`,
            code: 'not_found',
            message: m.check_not_shown({ field: `check_ids.${i}`, received: JSON.stringify(id.slice(0, 64)) }),
          },
        ],
  )
  return { numbers: [...known.values()], faults }
}

/** Replaces the checks that an incident affects; checks that stay keep the outage that added them. */
export async function setChecks(db: Db, incidentId: string, numbers: readonly number[]): Promise<void> {
  let gone = db.deleteFrom('status_incident_checks').where('incident_id', '=', incidentId)
  if (numbers.length > 0) gone = gone.where('check_number', 'not in', [...numbers])
  await gone.execute()
  if (numbers.length === 0) return
  await db
    .insertInto('status_incident_checks')
    .values(numbers.map(check_number => ({ incident_id: incidentId, check_number, outage_id: null })))
    .onConflict(conflict => conflict.columns(['incident_id', 'check_number']).doNothing())
    .execute()
}

/** Ids of the checks of each of these incidents. */
export async function checksOf(db: Db, incidentIds: readonly string[]): Promise<(incidentId: string) => string[]> {
  if (incidentIds.length === 0) return () => []
  const rows = await db
    .selectFrom('status_incident_checks as i')
    .innerJoin('uptime_checks as c', 'c.number', 'i.check_number')
    .select(['i.incident_id', 'c.id'])
    .where('i.incident_id', 'in', [...incidentIds])
    .orderBy('c.id')
    .execute()
  return incidentId => rows.filter(({ incident_id }) => incident_id === incidentId).map(({ id }) => id)
}
