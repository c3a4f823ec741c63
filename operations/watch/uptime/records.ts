/** A check probes one target at a fixed interval; while it is down it has an open incident. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static, optional } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { UptimeCheckRow, UptimeIncidentRow } from '../../../storage/tables/index.ts'
import { rangeNames } from './response-times.ts'
import { Availability, UptimeCheck } from '../../reports/availability/records.ts'
import { idKind } from '../../../runtime/values/ids.ts'

export const ids = { check: idKind('upc_'), incident: idKind('inc_') }

export const UptimeIncident = record(
  'UptimeIncident',
  {
    started_at: DateTime({ description: 'Time of the first failed probe.' }),
    resolved_at: Nullable(DateTime(), { description: 'Time of the first success of the recovery; null while it is open.' }),
    duration_seconds: Type.Integer({ unit: 'seconds', better: 'less', description: 'Downtime; up to now while it is open.' }),
    cause: Nullable(Type.String(), {
      description:
        'The most frequent error, for example `timeout`, `status_503`, `dns_error`, `tls_expired`, `keyword_missing`, `body_limit` …',
    }),
    failed_locations: Type.Array(Type.String(), { description: 'Locations whose probes failed.' }),
  },
  'A period in which a check was down.',
)

export const UptimeCheckDetail = record(
  'UptimeCheckDetail',
  {
    ...UptimeCheck.properties,
    uptime: Availability,
    range: OneOf(rangeNames, { description: 'Range of the response times.' }),
    response_times: optional(
      Type.Object(
        {
          unit: Type.Literal('ms', { description: 'Milliseconds.' }),
          labels: Type.Array(DateTime(), { description: 'Start times of the buckets, oldest first.' }),
          series: Type.Record(Type.String(), Type.Array(Nullable(Type.Number({ unit: 'ms', better: 'less' }))), {
            description: 'By location: the average of the successful probes of each bucket; null without a successful probe.',
          }),
        },
        { description: 'Response times over the range, unless the request leaves them out.' },
      ),
    ),
    incidents: Type.Array(UptimeIncident, { description: 'The latest 50 incidents, newest first.' }),
  },
  'An uptime check with its availability, response times and incidents.',
)

export const check = subject<'check', UptimeCheckRow>({
  name: 'check',
  async find(db, id) {
    const row = await db.selectFrom('uptime_checks').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: row.site_id, unrestricted: row.site_id === null }
  },
  lock: (db, id) =>
    db
      .updateTable('uptime_checks')
      .set(({ ref }) => ({ kind: ref('kind') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

export function toIncident(row: UptimeIncidentRow, now: number): Static<typeof UptimeIncident> {
  return {
    started_at: iso(row.started_at),
    resolved_at: iso(row.resolved_at),
    duration_seconds: Math.max(0, Math.round(((row.resolved_at ?? now) - row.started_at) / 1000)),
    cause: row.cause,
    failed_locations: JSON.parse(row.failed_locations) as string[], // written by us as a list of strings
  }
}
