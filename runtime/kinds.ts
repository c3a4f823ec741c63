/**
 * How an operation answers and how its input comes, as kinds that every adapter knows: a surface carries a kind or does
 * not, and no operation is named for it.
 */
import { type TSchema, Type } from '@sinclair/typebox'

/** `json` and `form` are read whole and checked; an `upload` is handed to `prepare` as it comes, its other fields stand in the query. */
export type InputKind = 'json' | 'form' | 'upload'

export type AnswerKind =
  /** JSON in the envelope `{ data, meta }`. */
  | { readonly kind: 'record' | 'list' | 'report' }
  /** JSON without the envelope, for forms that are not ours. */
  | { readonly kind: 'plain' }
  /** A text of this media type. `shared`: seconds that anyone may keep it, and that other sites may embed it. */
  | { readonly kind: 'text'; readonly type: string; readonly shared?: number }
  /** A download with a name, or bytes as they are made. */
  | { readonly kind: 'file' | 'stream'; readonly type: string }
  /** To another address, with 303. */
  | { readonly kind: 'redirect' }

export const plain: AnswerKind = Object.freeze({ kind: 'plain' })
export const redirect: AnswerKind = Object.freeze({ kind: 'redirect' })
export const text = (type: string, { shared }: { shared?: number } = {}): AnswerKind =>
  Object.freeze({ kind: 'text', type, ...(shared !== undefined && { shared }) })
export const file = (type: string): AnswerKind => Object.freeze({ kind: 'file', type })
export const stream = (type: string): AnswerKind => Object.freeze({ kind: 'stream', type })

export type Bytes = AsyncIterable<Uint8Array>

/** What `run` of a file or stream answers. */
export interface FileContent {
  /** Offered to whoever saves it; none for a stream. */
  readonly name?: string
  /** Bytes, where known. */
  readonly size?: number
  /** Read once, after the call: it must not need the transaction. */
  readonly body: Bytes
}

/** `output` of an operation that answers a file or stream. */
export const FileOutput = Type.Unsafe<FileContent>({ type: 'string', format: 'binary', description: 'The bytes.' })

/** In an envelope, and so a result a tool can answer. */
export const isEnvelope = ({ kind }: AnswerKind): boolean => kind === 'record' || kind === 'list' || kind === 'report'
/** Whether the answer is checked against the schema of `output`: bytes are not. */
export const isChecked = ({ kind }: AnswerKind): boolean => kind !== 'file' && kind !== 'stream'

/** What the kind asks of a declaration; undefined where it is met. */
export function kindFault(
  answers: AnswerKind,
  accepts: InputKind,
  { output, method }: { output: TSchema; method: string },
): string | undefined {
  if ((answers.kind === 'text' || answers.kind === 'redirect') && output.type !== 'string')
    return `answers ${answers.kind === 'text' ? answers.type : 'a redirect'}, so its output is a string`
  if (!isChecked(answers) && output !== FileOutput) return `answers a ${answers.kind}, so its output is FileOutput`
  if (accepts !== 'json' && method === 'GET') return `accepts a ${accepts}, so it is no GET`
  return undefined
}
