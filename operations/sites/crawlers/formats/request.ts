/** One line of a server's log, read. */
export interface LoggedRequest {
  /** Epoch ms. */
  readonly at: number
  readonly ip: string
  readonly method: string
  /** Path and query, or a whole address. */
  readonly url: string
  readonly status: number
  readonly bytes: number
  readonly userAgent: string
}
/** Undefined where the line is none of the format; null where it is a comment. */
export type ReadLine = (line: string) => LoggedRequest | null | undefined

/** A whole number from 0; undefined if it is none. A hyphen is how logs write none. */
export function count(text: unknown): number | undefined {
  if (text === '-') return 0
  const number = typeof text === 'number' ? text : typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : NaN
  return Number.isFinite(number) && number >= 0 ? Math.min(Math.round(number), Number.MAX_SAFE_INTEGER) : undefined
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
