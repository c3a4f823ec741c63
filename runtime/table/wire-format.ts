/**
 * Input and output of operations that a standard protocol (SCIM) defines too: on the protocol's own path they follow it, and
 * with `.json` they are as every operation is. Adapters apply it and know no protocol by name.
 */
import type { Answer } from './answer.ts'

export interface WireFormat {
  /** Names of inputs in queries, where they differ from the input's name. */
  readonly names: Readonly<Record<string, string>>
  /**
   * The input as the operation has it. Undeclared fields are ignored, because protocols have extensions.
   * @param own whether it came by the protocol's own path, without `.json`
   */
  read(given: Readonly<Record<string, unknown>>, own: boolean): Readonly<Record<string, unknown>>
  /** The answer as the protocol has it; no body at all where its `body` is undefined. */
  present(answer: Answer, own: boolean): Answer
}

export function wireFormat(declared: WireFormat): WireFormat {
  return Object.freeze(declared)
}

/** Whether a URL is a protocol's own path: without `.json`. */
export function isOwnPath(url: string): boolean {
  return !new URL(url).pathname.endsWith('.json')
}
