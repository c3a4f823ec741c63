/** JSON lines on standard output. Headers, tokens and bodies are never handed to it. */
import { pino, type Logger } from 'pino'

export type Log = Logger

export function openLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: ['authorization', 'token', 'secret', '*.authorization', '*.token', '*.secret'] })
}
