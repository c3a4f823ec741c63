/** Logs that files cannot be kept, once for each outage: calls are answered 503, and only the log says what to do. */
import type { Log } from '../../../runtime/observability/log.ts'
import { FilesUnusable } from './file-store.ts'
import type { OwnFiles } from './one-installation.ts'

export function logged(files: OwnFiles, log: Log): OwnFiles {
  let said: string | undefined
  const noted =
    <A extends unknown[], T>(run: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      try {
        const result = await run(...given)
        if (said !== undefined) log.info('files can be kept again')
        said = undefined
        return result
      } catch (err) {
        if (err instanceof FilesUnusable && said !== err.message) {
          said = err.message
          log.error({ err: err.cause ?? err }, err.advice)
        }
        throw err
      }
    }
  return { ...files, write: noted(files.write), create: noted(files.create), probe: noted(files.probe) }
}
