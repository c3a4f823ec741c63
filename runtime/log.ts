/** JSON lines on standard output. Headers, tokens and bodies are never handed to it. */
import { pino, type Logger } from 'pino'
import { StorageUnavailable } from '../storage/unavailable.ts'

export type Log = Logger

export function openLog(level: string): Log {
  return pino({
    level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: told },
    redact: ['authorization', 'token', 'secret', '*.authorization', '*.token', '*.secret'],
  })
}

/** Where the database cannot be used everything fails alike: what counts is why, not where. */
function told(err: Error): object {
  if (!(err instanceof StorageUnavailable)) return pino.stdSerializers.err(err)
  return { type: err.name, reason: err.reason, message: err.message }
}
