import type { ExportRow } from '../../../storage/tables/index.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** Name of the task that runs exports. */
export const exportTask = 'exports_run'
/** How long files are kept, ms. */
export const KEPT_MS = 7 * DAY_MS

export const downloadPath = (id: string): string => `/exports/${id}/file`

/** The kind of the export of a whole workspace, which belongs to the group of all of its sites. */
export const workspaceKind = 'workspace'

/** The name under which browsers save the file. */
export function fileName({ id, kind, format }: Pick<ExportRow, 'id' | 'kind' | 'format'>): string {
  return `${kind}-${id}.${kind === 'aggregates' || kind === workspaceKind ? 'zip' : format}`
}

/** The bytes of a file, piece by piece. Returns the number of its rows at the end. */
export type ExportPieces = AsyncGenerator<Uint8Array, number>
