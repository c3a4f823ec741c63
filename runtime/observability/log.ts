/** JSON lines on standard output. Never pass headers, tokens or bodies to it. */
import { pino, type Logger } from 'pino'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import { standardOutput } from './output.ts'

export type Log = Logger

export function openLog(level: string): Log {
  const output = standardOutput()
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorShown },
      redact: ['authorization', 'token', 'secret', '*.authorization', '*.token', '*.secret'],
    },
    output,
  )
  output.onDropped(lines => log.warn({ lines }, 'lines of this log were dropped, because no program read them for a while'))
  return log
}

/** If the database is unavailable, the cause matters and the stack does not. */
function errorShown(err: Error): object {
  if (!(err instanceof StorageUnavailable)) return pino.stdSerializers.err(err)
  const cause = err.cause instanceof Error ? err.cause.message : err.cause
  return { type: err.name, reason: err.reason, message: err.message, ...(typeof cause === 'string' && { cause }) }
}
