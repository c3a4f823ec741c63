import type { ExportRow } from '../../../storage/tables/index.ts'

/** The name of the task that runs exports, and how long files are kept. */
export const exporting = 'exports_run'
export const KEPT_MS = 7 * 86_400_000

export const downloadPath = (id: string): string => `/exports/${id}/file`

/** The name of the file, for who saves it. */
export function fileName({ id, kind, format }: Pick<ExportRow, 'id' | 'kind' | 'format'>): string {
  return `${kind}-${id}.${kind === 'aggregates' ? 'zip' : format}`
}
