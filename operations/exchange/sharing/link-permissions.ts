/** The permission that a link needs in addition to `sites.manage` and `analytics.read`. */
import { type Caller, lacks } from '../../../runtime/table/caller.ts'
import type { ReportName } from './reports.ts'

/**
 * A link that shows single visits, or whose token may export, gives what `analytics.export` guards. Without that permission, no caller
 * creates such a link, changes one (its password among it), restores one or creates its key.
 */
export const lacksOfLink = (caller: Caller, link: { readonly reports: readonly ReportName[]; readonly allow_export: boolean }) =>
  link.reports.includes('visits') || link.allow_export ? lacks(caller, ['analytics.export']) : undefined
