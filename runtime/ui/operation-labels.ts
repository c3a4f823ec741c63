/** Labels of operations on buttons and in notices. */
import type { Operation } from '../table/operation.ts'
import { shortOf } from '../table/operation-names.ts'
import { fieldWords } from './words.ts'
import { ui } from './messages.ts'
import { declaredText } from '../texts/catalogues.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'

/** The label of the button or link for an operation: its own, its effect if that is clear, or the beginning of its summary. */
export function labelOf(operation: Operation, reader: Reader): string {
  const { effect, path, method, label } = operation
  if (label !== undefined) return declaredText(reader, label)
  if (effect === 'update' && method === 'PATCH') return say(reader, ui.change)
  if (effect === 'delete' && path.endsWith('}')) return say(reader, ui.delete)
  return declaredText(reader, shortOf(operation))
}

/** The sentence shown after an operation has succeeded: `Webhook created.` */
export function doneWords({ effect, done }: Operation, record: string | undefined, reader: Reader): string {
  if (done !== undefined) return declaredText(reader, done)
  const name = record === undefined ? say(reader, ui.entry) : fieldWords(record, reader)
  return say(reader, effect === 'create' ? ui.created : effect === 'delete' ? ui.deleted : ui.changed, { name })
}
