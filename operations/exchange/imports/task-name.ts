/** The name of the task that runs imports. */
import { HOUR_MS } from '../../../storage/values/durations.ts'

export const importTask = 'imports_run'
/** How long the file of an import may be uploaded, in ms from the creation of the import. */
export const UPLOAD_MS = 24 * HOUR_MS
