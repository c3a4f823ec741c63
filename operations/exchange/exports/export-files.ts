import type { ExportRow } from '../../../storage/tables/index.ts'

/** Name of the task that runs exports. */
export const exporting = 'exports_run'
/** Time for which files are kept. */
export const KEPT_MS = 7 * 86_400_000

export const downloadPath = (id: string): string => `/exports/${id}/file`

/** The kind of the export of a whole workspace, which belongs to the group of all of its sites. */
export const ofWorkspace = 'workspace'

/** The name under which browsers save the file. */
export function fileName({ id, kind, format }: Pick<ExportRow, 'id' | 'kind' | 'format'>): string {
  return `${kind}-${id}.${kind === 'aggregates' || kind === ofWorkspace ? 'zip' : format}`
}

/** Yields bytes of the file, and returns the number of its rows. */
export type Written = AsyncGenerator<Uint8Array, number>
