import type { Found, FoundBy, ReportName } from '../../../storage/engine/index.ts'

/** Narrows a result of `several` to the type of its report. */
export function resultOf<R extends ReportName>(report: R, found: Found | undefined): FoundBy<R> {
  if (found?.report !== report) throw new Error(`asked for ${report}, was answered ${found?.report ?? 'nothing'}`)
  return found as FoundBy<R> // checked in the line above
}
