/** Faults of the fields of a link together: a link may not promise what a report does not keep. */
import type { Fault } from '../../../runtime/table/errors.ts'
import type { Db } from '../../../storage/store.ts'
import { dimensionOf, DIMENSIONS_KNOWN } from '../../../storage/engine/vocabulary/dimensions.ts'
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
}

/** @param given names of the fields that the caller sends: a time that has come is no fault of one who changes the name */
export async function faultsIn(
  db: Db,
  site: { readonly id: string; readonly workspace_id: string },
  link: Settling,
  now: number,
  given: ReadonlySet<string>,
): Promise<Fault[]> {
  const { dimensions, embed_origins, expires_at, dashboard_id } = link
  return [
    ...(given.has('expires_at') && expires_at !== null && expires_at <= now
      ? [{ pointer: '/expires_at', code: 'too_small' as const, message: 'expires_at must be in the future.' }]
      : []),
    ...dimensions.flatMap((name, i) =>
      dimensionOf(name) ? [] : [fault(`/dimensions/${i}`, 'not_in_enum', `must be one of ${DIMENSIONS_KNOWN}; received ${shown(name)}.`)],
    ),
    ...embed_origins.flatMap((text, i) =>
      originOf(text) === undefined
        ? [fault(`/embed_origins/${i}`, 'invalid_format', `must be an origin like https://www.example.com; received ${shown(text)}.`)]
        : [],
    ),
    ...(link.segment_id !== null && given.has('segment_id') && !(await isSegment(db, site.id, link.segment_id))
      ? [fault('/segment_id', 'not_found', 'must be the id of a segment of this site.')]
      : []),
    ...(dashboard_id !== null && given.has('dashboard_id') && !(await isDashboard(db, site.workspace_id, dashboard_id))
      ? [fault('/dashboard_id', 'not_found', 'must be the id of a dashboard of the workspace.')]
      : []),
    ...(dashboard_id === null ? [] : faultsOfDashboard(link)),
    ...(dashboard_id === null && link.reports.length === 0
      ? [fault('/reports', 'too_short', 'must name a report where no dashboard is shown.')]
      : []),
    ...link.reports.flatMap((name, i) => faultsOfReport(name, `/reports/${i}`, link)),
  ]
}

function faultsOfReport(name: ReportName, pointer: string, { segment_id, max_days, dimensions, show_revenue }: Settling): Fault[] {
  const report: SharedReport = sharedReports[name]
  const others = dimensions.length === 0 ? [] : report.shows.filter(dimension => !dimensions.includes(dimension))
  return [
    ...(segment_id !== null && !report.keepsSegment ? [fault(pointer, 'mismatch', `${name} cannot be narrowed to a segment.`)] : []),
    ...(max_days !== null && !report.keepsDays ? [fault(pointer, 'mismatch', `${name} cannot be cut to the last days.`)] : []),
    ...(report.tellsRevenue && !show_revenue
      ? [fault(pointer, 'mismatch', `${name} shows revenue: set show_revenue, or leave it out.`)]
      : []),
    ...(others.length > 0
      ? [fault(pointer, 'mismatch', `${name} shows ${others.join(', ')} as well: list them in dimensions, or leave it out.`)]
      : []),
  ]
}

/** Cards choose their days and dimensions themselves, and can be changed at any time. */
function faultsOfDashboard({ segment_id, max_days, dimensions }: Settling): Fault[] {
  const at = '/dashboard_id'
  return [
    ...(segment_id !== null ? [fault(at, 'mismatch', 'A dashboard cannot be narrowed to a segment.')] : []),
    ...(max_days !== null ? [fault(at, 'mismatch', 'A dashboard cannot be cut to the last days.')] : []),
    ...(dimensions.length > 0 ? [fault(at, 'mismatch', 'A dashboard cannot be limited to some dimensions.')] : []),
  ]
}

const fault = (pointer: string, code: Fault['code'], rest: string): Fault => ({
  pointer,
  code,
  message: rest.startsWith('must') ? `${pointer.slice(1).replaceAll('/', '.')} ${rest}` : rest,
})
const shown = (text: string): string => JSON.stringify(text.slice(0, 80))

/** An origin of http or https in its one form; undefined for anything else. */
export function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\s;,'"*]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin } = new URL(text)
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
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
