/** Kinds of answers and inputs that adapters know; a surface offers the operations whose kinds it supports. */
import { type TSchema, Type } from '@sinclair/typebox'

/**
 * `json` and `form` are read completely and validated; an `upload` goes to `prepare`, its other fields in the query.
 */
export type InputKind = 'json' | 'form' | 'upload'

export type AnswerKind =
  /** JSON in the envelope `{ data, meta }`. */
  | { readonly kind: 'record' | 'list' | 'report' }
  /** JSON without the envelope, for foreign formats. */
  | { readonly kind: 'plain' }
  /**
   * A text of this media type. `shared`: public, cached for this number of seconds, and readable by other origins. `keyed`: for programs that know
   * only an address, so a key of a kind that may be there is accepted in it.
   */
  | { readonly kind: 'text'; readonly type: string; readonly shared?: number; readonly keyed?: true }
  /** A named download, or bytes produced on the fly. */
  | { readonly kind: 'file' | 'stream'; readonly type: string }
  /** A redirect, with 303. */
  | { readonly kind: 'redirect' }

export const plain: AnswerKind = Object.freeze({ kind: 'plain' })
export const redirect: AnswerKind = Object.freeze({ kind: 'redirect' })
export const text = (type: string, { shared, keyed }: { shared?: number; keyed?: true } = {}): AnswerKind =>
  Object.freeze({ kind: 'text', type, ...(shared !== undefined && { shared }), ...(keyed && { keyed }) })
export const file = (type: string): AnswerKind => Object.freeze({ kind: 'file', type })
export const stream = (type: string): AnswerKind => Object.freeze({ kind: 'stream', type })

export type Bytes = AsyncIterable<Uint8Array>

/** The result of `run` for a file or stream. */
export interface FileContent {
  /** Suggested file name; none for a stream. */
  readonly name?: string
  /** Bytes, if known. */
  readonly size?: number
  /** Read once, after the call, so it must not need the transaction. */
  readonly body: Bytes
}

/** The `output` of an operation that answers a file or stream. */
export const FileOutput = Type.Unsafe<FileContent>({ type: 'string', format: 'binary', description: 'The bytes.' })

/** Whether the answer has an envelope, and so fits a tool's result. */
export const isEnvelope = ({ kind }: AnswerKind): boolean => kind === 'record' || kind === 'list' || kind === 'report'
/** Whether the answer is validated against `output`; bytes are not. */
export const isChecked = ({ kind }: AnswerKind): boolean => kind !== 'file' && kind !== 'stream'

/** @returns how a declaration breaks the rules of its kinds of answer and input; undefined if it does not */
export function kindFault(
  answers: AnswerKind,
  accepts: InputKind,
  { output, method }: { output: TSchema; method: string },
): string | undefined {
  if ((answers.kind === 'text' || answers.kind === 'redirect') && output.type !== 'string')
    return `answers ${answers.kind === 'text' ? answers.type : 'a redirect'}, so its output must be a string`
  if (!isChecked(answers) && output !== FileOutput) return `answers a ${answers.kind}, so its output must be FileOutput`
  if (accepts !== 'json' && method === 'GET') return `accepts a ${accepts}, so its method must not be GET`
  return undefined
}
