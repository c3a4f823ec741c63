/** The name of the task that runs imports, and how long an upload is waited for. */
export const importing = 'imports_run'
export const UPLOAD_MS = 24 * 3_600_000
