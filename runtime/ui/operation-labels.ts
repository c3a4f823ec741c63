/** Labels of operations on buttons and in notices. */
import type { Operation } from '../table/operation.ts'
import { shortOf } from '../table/operation-names.ts'
import type { PlainMessage } from '../texts/message.ts'
import { fieldWords } from './words.ts'
import { ui } from './messages.ts'
import { declaredText } from '../texts/catalogues.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'

/** A connection is not deleted, but disconnected. By the first word of the summary. */
const verbs: Readonly<Record<string, PlainMessage>> = {
  Delete: ui.delete,
  Remove: ui.remove,
  Revoke: ui.revoke,
  Disconnect: ui.disconnect,
}

/** Whether an operation deletes a record, and does not end what the record represents. */
export const isDeletion = ({ effect, summary }: Operation): boolean => effect === 'delete' && summary.startsWith('Delete ')

/** The label of the button or link for an operation: its own, its effect if that is clear, or the beginning of its summary. */
export function labelOf(operation: Operation, reader: Reader): string {
  const { effect, path, method, label, summary } = operation
  if (label !== undefined) return declaredText(reader, label)
  if (effect === 'update' && method === 'PATCH') return say(reader, ui.change)
  const verb = effect === 'delete' && path.endsWith('}') ? verbs[summary.split(' ')[0] ?? ''] : undefined
  if (verb) return say(reader, verb)
  return declaredText(reader, shortOf(operation))
}

/** The sentence shown after an operation has succeeded: `Webhook created.` */
export function doneWords({ effect, done }: Operation, record: string | undefined, reader: Reader): string {
  if (done !== undefined) return declaredText(reader, done)
  const name = record === undefined ? say(reader, ui.entry) : fieldWords(record, reader)
  return say(reader, effect === 'create' ? ui.created : effect === 'delete' ? ui.deleted : ui.changed, { name })
}
