/** The terminal that the command line runs in. It is passed in, so that tests see everything that it does. */
import type { OpenAPIObject } from 'openapi3-ts/oas31'

/** Runs a program of the computer and waits for it; undefined if it is not installed. @param input its standard input */
export type RunProgram = (
  program: string,
  args: readonly string[],
  input: string,
) => { readonly code: number; readonly out: string; readonly err: string } | undefined

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's folder. */
  readonly home: string
  /** Width of the terminal; undefined if the output is not a terminal. */
  readonly columns: number | undefined
  /** The computer's time zone, an IANA name. */
  readonly timeZone: string
  out(text: string): void
  err(text: string): void
  /** Everything on standard input. */
  stdin(): Promise<string>
  /** Reads the OpenAPI file. */
  document(): OpenAPIObject
  /** Names of the commands that are no operations, for completion. */
  readonly others: readonly string[]
  readonly run: RunProgram
  /** Opens a page in the user's browser, if there is one. */
  browse(url: string): void
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Exit codes, for scripts. */
export const exits = { done: 0, refused: 1, usage: 2, forbidden: 3, notFound: 4, later: 5 } as const
