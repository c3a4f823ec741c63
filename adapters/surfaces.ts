/** The operations of a surface, by the kinds of input and answer it supports, and the surfaces that operations name. */
import { isEnvelope } from '../runtime/table/answer-kinds.ts'
import type { NamedOperation } from '../runtime/table/table.ts'

const carries = {
  http: () => true,
  /** Arguments and results are JSON, and callers need a token. */
  mcp: ({ accepts, answers, access }) => accepts === 'json' && isEnvelope(answers) && access !== 'session',
} as const satisfies Record<string, (operation: NamedOperation) => boolean>

export type Surface = keyof typeof carries

export function carriedBy(surface: Surface, operation: NamedOperation): boolean {
  return carries[surface](operation) && operation.surfaces?.includes(surface) !== false
}

export function surfacesOf(operation: NamedOperation): Surface[] {
  return (['http', 'mcp'] as const).filter(surface => carriedBy(surface, operation))
}

/** Whether the typed client and the command line offer it: JSON goes in, and what comes out is an answer of its own. */
export function isCalledByClients(operation: NamedOperation): boolean {
  return carriedBy('http', operation) && operation.accepts === 'json' && operation.answers.kind !== 'redirect'
}

/** Whether JSON goes in and out, in our own format, for who is signed in. */
const isPlain = (operation: NamedOperation): boolean =>
  operation.access !== 'public' &&
  !operation.wireFormat &&
  operation.accepts === 'json' &&
  isEnvelope(operation.answers) &&
  carriedBy('http', operation)

/** Whether a browser is shown a page at its path. */
export const hasPage = (operation: NamedOperation): boolean => operation.method === 'GET' && isPlain(operation)
/** Whether a form calls it: every change that people make, except of their own data, for which the areas bring forms. */
export const hasForm = (operation: NamedOperation): boolean =>
  operation.method !== 'GET' && !operation.form && !operation.forPrograms && operation.access !== 'session' && isPlain(operation)
