/** What buttons and notices call an operation. */
import type { Operation } from '../table/operation.ts'
import { fieldWords } from './words.ts'
import { ui } from './messages.ts'
import { declaredText } from '../texts/catalogues.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'

/** The label of the button or link for an operation; its effect, if that is clear. */
export function labelOf({ effect, path, method, summary, label }: Operation, reader: Reader): string {
  if (label !== undefined) return declaredText(reader, label)
  if (effect === 'update' && method === 'PATCH') return say(reader, ui.change)
  if (effect === 'delete' && path.endsWith('}')) return say(reader, ui.delete)
  return declaredText(reader, inShort(summary))
}

const mostWords = 4
const joining = /^(a|an|the|and|or|of|from|to|for|on|in|by|as|with|that|which|whose|who|where)$/

/** `Create a goal`, of `Create a goal: a page or event that counts as a conversion`; of longer ones the first words. */
function inShort(summary: string): string {
  const all = (summary.split(/[:,]/)[0] ?? summary).split(' ')
  if (all.length <= mostWords) return all.join(' ')
  const first = all.slice(0, mostWords + 1)
  const end = first.findLastIndex((word, i) => i > 1 && joining.test(word) && !joining.test(first[i - 1] ?? ''))
  const kept = first.slice(0, end > 1 ? end : mostWords)
  return kept.slice(0, kept.findLastIndex(word => !joining.test(word)) + 1).join(' ')
}
/** The label without the words for its effect. */
export const shortOf = ({ label, summary }: Operation): string => label ?? inShort(summary)

/** The sentence shown after an operation has succeeded: `Webhook created.` */
export function doneWords({ effect, done }: Operation, record: string | undefined, reader: Reader): string {
  if (done !== undefined) return declaredText(reader, done)
  const name = record === undefined ? say(reader, ui.entry) : fieldWords(record, reader)
  return say(reader, effect === 'create' ? ui.created : effect === 'delete' ? ui.deleted : ui.changed, { name })
}
