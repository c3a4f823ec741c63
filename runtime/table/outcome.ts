import { Message, type PlainMessage, type Sentence } from '../texts/message.ts'

/**
 * The outcome of an operation, as its record reports it. Pages show it in its colour instead of "done". For example, a check
 * that found nothing has succeeded as an operation, but its outcome is a failure.
 */
export interface Outcome {
  readonly is: 'success' | 'failure' | 'neutral'
  /** One sentence. */
  readonly says: PlainMessage | Message
  /** The reason as the record has it: a sentence, or a code such as `connection_refused`. */
  readonly why?: Sentence | null | undefined
  /** Whether the outcome is not known yet. The page then reloads. */
  readonly isPending?: boolean
}

/** Sentences for the states of a job or a delivery. */
interface States {
  readonly succeeded: PlainMessage
  readonly failed: PlainMessage
  readonly pending: PlainMessage
  readonly cancelled?: PlainMessage
}

const succeeded: ReadonlySet<string> = new Set(['succeeded', 'completed', 'sent', 'verified', 'working', 'done'])
const failed: ReadonlySet<string> = new Set(['failed', 'failing'])

/** @param why of the record, if it failed */
export function outcomeOf(status: string, says: States, why?: Sentence | { readonly message: Sentence } | null): Outcome {
  if (succeeded.has(status)) return { is: 'success', says: says.succeeded }
  if (failed.has(status))
    return { is: 'failure', says: says.failed, why: typeof why === 'string' || why instanceof Message ? why : why?.message }
  if (status === 'cancelled') return { is: 'neutral', says: says.cancelled ?? says.failed }
  return { is: 'neutral', says: says.pending, isPending: true }
}
