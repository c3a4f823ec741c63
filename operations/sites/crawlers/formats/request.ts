/** A parsed line of a server's log. */
export interface LoggedRequest {
  /** Epoch ms. */
  readonly at: number
  readonly ip: string
  readonly method: string
  /** Path and query, or a whole URL. */
  readonly url: string
  readonly status: number
  readonly bytes: number
  readonly userAgent: string
  /** Address of the page it came from; '' if there is none, or the log does not have it. */
  readonly referrer?: string
  /** Name of the host, perhaps with a port; '' if the log does not have it. */
  readonly host?: string
  /** Type of the response; '' if the log does not have it. */
  readonly type?: string
}
/** Undefined for a line in another format; null for a comment. */
export type ReadLine = (line: string) => LoggedRequest | null | undefined

/** Parses a whole number from 0; undefined for other values. Logs write a hyphen for a missing number. */
export function count(text: unknown): number | undefined {
  if (text === '-') return 0
  const number = typeof text === 'number' ? text : typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : NaN
  return Number.isFinite(number) && number >= 0 ? Math.min(Math.round(number), Number.MAX_SAFE_INTEGER) : undefined
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
