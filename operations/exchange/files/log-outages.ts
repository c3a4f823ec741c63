/** Logs that files cannot be stored, once for each outage. Calls return 503; only the log contains the remedy. */
import type { Log } from '../../../runtime/observability/log.ts'
import { FilesUnusable } from './file-store.ts'
import type { OwnFiles } from './one-installation.ts'

export function logged(files: OwnFiles, log: Log): OwnFiles {
  let lastFault: string | undefined
  const noted =
    <A extends unknown[], T>(run: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      try {
        const result = await run(...given)
        if (lastFault !== undefined) log.info('files can be stored again')
        lastFault = undefined
        return result
      } catch (err) {
        if (err instanceof FilesUnusable && lastFault !== err.message) {
          lastFault = err.message
          log.error({ err: err.cause ?? err }, err.advice)
        }
        throw err
      }
    }
  return { ...files, write: noted(files.write), create: noted(files.create), probe: noted(files.probe) }
}
