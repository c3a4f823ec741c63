/** The name of the task that runs imports, and the time limit of an upload. */
export const importing = 'imports_run'
export const UPLOAD_MS = 24 * 3_600_000
