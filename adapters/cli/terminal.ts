/** The terminal that the command line runs in. It is passed in, so that tests see everything that it does. */
import type { OpenAPIObject } from 'openapi3-ts/oas31'

/** Runs a program and waits for its end. @param input its standard input @returns undefined if the program is not installed */
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
  /** Reads standard input to its end. */
  stdin(): Promise<string>
  /** Reads the OpenAPI file, which describes the operations. */
  openApi(): OpenAPIObject
  /** Names of the commands that are not operations, for completion and for suggestions. */
  readonly otherCommands: readonly string[]
  readonly runProgram: RunProgram
  /** Opens a page in the user's browser, if there is one. */
  browse(url: string): void
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Exit codes, for scripts. `later`: the server cannot be reached or asks to wait, so the same command may succeed later. */
export const exits = { done: 0, refused: 1, usage: 2, forbidden: 3, notFound: 4, later: 5 } as const
