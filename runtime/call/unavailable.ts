/** The answer while the database or the analytics engine is unavailable. */
import type { BusyReason, StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import type { Message, Sentence } from '../texts/message.ts'
import { m } from './messages.ts'

const sentences: Readonly<Record<BusyReason, () => Message>> = {
  stopping: m.stopping,
  reports_waiting: m.reports_waiting,
  report_too_large: m.report_too_large,
}
const isBusy = (reason: string): reason is BusyReason => Object.hasOwn(sentences, reason)

/** Undefined for an outage, whose message is for the operator: callers get the sentence of `unavailable`. */
export function unavailableSentence({ reason, message }: StorageUnavailable): Sentence | undefined {
  if (isBusy(reason)) return sentences[reason]()
  return reason === 'busy' || reason === 'cluster' ? message : undefined
}
