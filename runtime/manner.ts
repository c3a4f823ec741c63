/**
 * The manner of a protocol of others, for operations that it defines as well: on the protocol's own path they answer as
 * it says, and with `.json` as every operation does. Adapters ask for it and know no protocol by name.
 */
import type { Answer } from './app.ts'

export interface Manner {
  /** What a query calls an input, where that is not the input's name. */
  readonly names: Readonly<Record<string, string>>
  /**
   * The input as the operation has it. What it does not declare is ignored: protocols have extensions.
   * @param own whether it came by the protocol's own path, without `.json`
   */
  read(given: Readonly<Record<string, unknown>>, own: boolean): Readonly<Record<string, unknown>>
  /** The answer as the protocol has it; no body at all where its `body` is undefined. */
  present(answer: Answer, own: boolean): Answer
}

export function manner(declared: Manner): Manner {
  return Object.freeze(declared)
}

/** Whether a URL is a protocol's own path: without `.json`. */
export function isOwnPath(url: string): boolean {
  return !new URL(url).pathname.endsWith('.json')
}
