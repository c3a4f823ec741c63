/**
 * Input and output of operations that a standard protocol (SCIM) defines too: on the protocol's own path they follow it, and
 * with `.json` they are as every operation is. Adapters apply it and know no protocol by name.
 */
import { type Answer, isRefusal } from './answer.ts'

export interface WireFormat {
  /** Names of inputs in queries, if they differ from the names of the inputs. */
  readonly names: Readonly<Record<string, string>>
  /**
   * The input as the operation has it. Undeclared fields are ignored, because protocols have extensions.
   * @param own whether it came by the protocol's own path, without `.json`
   */
  read(given: Readonly<Record<string, unknown>>, own: boolean): Readonly<Record<string, unknown>>
  /** The answer as the protocol has it; no body at all where its `body` is undefined. */
  present(answer: Answer, own: boolean): Answer
}

/** Refusals name inputs as the caller sent them. */
export function wireFormat(declared: WireFormat): WireFormat {
  const names = Object.entries(declared.names)
  const present: WireFormat['present'] = (answer, own) => declared.present(inNamesOf(answer, names), own)
  return Object.freeze({ ...declared, present })
}

function inNamesOf(answer: Answer, names: readonly (readonly [string, string])[]): Answer {
  if (names.length === 0 || !isRefusal(answer)) return answer
  const { error } = answer.body
  const details = error.details.map(detail => {
    const [input, sent] = names.find(([name]) => detail.pointer === `/${name}`) ?? []
    if (input === undefined || sent === undefined) return detail
    return { ...detail, pointer: `/${sent}`, message: String(detail.message).replace(input, sent) }
  })
  return { ...answer, body: { error: { ...error, details } } }
}

/** Whether a URL is a protocol's own path: without `.json`. */
export function isOwnPath(url: string): boolean {
  return !new URL(url).pathname.endsWith('.json')
}
