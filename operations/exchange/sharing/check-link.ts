/** Faults of a link's combined fields: a link may not have restrictions that a report does not support. */
import type { Fault } from '../../../runtime/table/errors.ts'
import { fieldTerm, type Message, valueTerm } from '../../../runtime/texts/message.ts'
import type { Db } from '../../../storage/store.ts'
import { dimensionOf, DIMENSIONS_KNOWN } from '../../../storage/engine/vocabulary/dimensions.ts'
import { m } from './messages.ts'
import { type ReportName, type SharedReport, sharedReports } from './reports.ts'

export interface Settling {
  readonly reports: readonly ReportName[]
  readonly dimensions: readonly string[]
  readonly embed_origins: readonly string[]
  readonly segment_id: string | null
  readonly dashboard_id: string | null
  readonly max_days: number | null
  readonly expires_at: number | null
  readonly show_revenue: boolean
  readonly allow_export: boolean
}

interface FaultsIn {
  readonly site: { readonly id: string; readonly workspace_id: string }
  readonly link: Settling
  readonly now: number
  readonly given: ReadonlySet<string>
}

/** @param given names of the fields that the caller sends: a past expiry is not a fault if the caller changes only the name */
export async function faultsIn(db: Db, { site, link, now, given }: FaultsIn): Promise<Fault[]> {
  const { dimensions, embed_origins, expires_at, dashboard_id } = link
  return [
    ...(given.has('expires_at') && expires_at !== null && expires_at <= now
      ? [{ pointer: '/expires_at', code: 'too_small' as const, message: m.expires_in_past({ field: fieldTerm('expires_at') }) }]
      : []),
    ...dimensions.flatMap((name, i) =>
      dimensionOf(name)
        ? []
        : [
            fault(
              `/dimensions/${i}`,
              'not_in_enum',
              m.not_a_dimension({ field: `dimensions.${i}`, values: DIMENSIONS_KNOWN, received: shown(name) }),
            ),
          ],
    ),
    ...embed_origins.flatMap((text, i) =>
      originOf(text) === undefined
        ? [fault(`/embed_origins/${i}`, 'invalid_format', m.not_an_origin({ field: `embed_origins.${i}`, received: shown(text) }))]
        : [],
    ),
    ...(link.segment_id !== null && given.has('segment_id') && !(await isSegment(db, site.id, link.segment_id))
      ? [fault('/segment_id', 'not_found', m.unknown_segment({ field: fieldTerm('segment_id') }))]
      : []),
    ...(dashboard_id !== null && given.has('dashboard_id') && !(await isDashboard(db, site.workspace_id, dashboard_id))
      ? [fault('/dashboard_id', 'not_found', m.unknown_dashboard({ field: fieldTerm('dashboard_id') }))]
      : []),
    ...(dashboard_id === null ? [] : faultsOfDashboard(link)),
    ...(dashboard_id === null && link.reports.length === 0
      ? [fault('/reports', 'too_short', m.nothing_shown({ field: fieldTerm('reports') }))]
      : []),
    ...link.reports.flatMap((name, i) => faultsOfReport(name, `/reports/${i}`, link)),
  ]
}

function faultsOfReport(
  name: ReportName,
  pointer: string,
  { segment_id, max_days, dimensions, show_revenue, allow_export }: Settling,
): Fault[] {
  const report: SharedReport = sharedReports[name]
  const reportTerm = valueTerm(name)
  const others = dimensions.length === 0 ? [] : report.shows.filter(dimension => !dimensions.includes(dimension))
  return [
    ...(segment_id !== null && !report.keepsSegment ? [fault(pointer, 'mismatch', m.report_keeps_no_segment({ report: reportTerm }))] : []),
    ...(max_days !== null && !report.keepsDays ? [fault(pointer, 'mismatch', m.report_keeps_no_days({ report: reportTerm }))] : []),
    ...(report.tellsRevenue && !show_revenue ? [fault(pointer, 'mismatch', m.report_shows_revenue({ report: reportTerm }))] : []),
    ...(report.isExport && !allow_export
      ? [fault(pointer, 'mismatch', m.report_is_export({ report: reportTerm, allow_export: fieldTerm('allow_export') }))]
      : []),
    ...(others.length > 0
      ? [fault(pointer, 'mismatch', m.report_shows_others({ report: reportTerm, others: others.map(valueTerm) }))]
      : []),
  ]
}

/** Cards choose their days and dimensions themselves, and can be changed at any time. */
function faultsOfDashboard({ segment_id, max_days, dimensions }: Settling): Fault[] {
  const at = '/dashboard_id'
  return [
    ...(segment_id !== null ? [fault(at, 'mismatch', m.dashboard_keeps_no_segment())] : []),
    ...(max_days !== null ? [fault(at, 'mismatch', m.dashboard_keeps_no_days())] : []),
    ...(dimensions.length > 0 ? [fault(at, 'mismatch', m.dashboard_keeps_no_dimensions())] : []),
  ]
}

const fault = (pointer: string, code: Fault['code'], message: Message): Fault => ({ pointer, code, message })
const shown = (text: string): string => JSON.stringify(text.slice(0, 80))

/** An origin of http or https in its normal form; undefined for anything else. */
export function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\s;,'"*]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin } = new URL(text)
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
}

interface Shows {
  readonly site_id: string
  readonly workspace_id: string
  readonly segment_id: string | null
  readonly dashboard_id: string | null
}
/** Returns the id of the segment or the dashboard of a link if there is none any more; otherwise null. */
export async function goneOf(db: Db, { site_id, workspace_id, segment_id, dashboard_id }: Shows): Promise<string | null> {
  if (segment_id !== null && !(await isSegment(db, site_id, segment_id))) return segment_id
  return dashboard_id !== null && !(await isDashboard(db, workspace_id, dashboard_id)) ? dashboard_id : null
}

async function isSegment(db: Db, siteId: string, id: string): Promise<boolean> {
  const found = await db.selectFrom('saved_segments').select('id').where('id', '=', id).where('site_id', '=', siteId).executeTakeFirst()
  return found !== undefined
}

async function isDashboard(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('dashboards')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return found !== undefined
}
