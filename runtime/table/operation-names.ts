/** How people call an operation in English, by its declaration. */
import { words } from '../texts/names.ts'
import type { Operation } from './operation.ts'

/** The heading of its page: its title, else the last word of its path, else its record. */
export function titleOf({ title, path, output }: Pick<Operation, 'title' | 'path' | 'output'>): string {
  if (title !== undefined) return title
  const [last = ''] = path.split('/').slice(-1)
  return words(last.startsWith('{') ? (output.title ?? last.slice(1, -1)) : last)
}

/** Its label without a word for its effect: the declared one, or the first words of its summary. */
export const shortOf = ({ label, summary }: Pick<Operation, 'label' | 'summary'>): string => label ?? firstWords(summary)

const maxWords = 4
const joining = /^(a|an|the|and|or|of|from|to|for|on|in|by|as|with|that|which|whose|who|where)$/

/** `Create a goal`, of `Create a goal: a page or event that counts as a conversion`; of longer ones the first words. */
function firstWords(summary: string): string {
  const all = (summary.split(/[:,]/)[0] ?? summary).split(' ')
  if (all.length <= maxWords) return all.join(' ')
  const first = all.slice(0, maxWords + 1)
  const end = first.findLastIndex((word, i) => i > 1 && joining.test(word) && !joining.test(first[i - 1] ?? ''))
  const kept = first.slice(0, end > 1 ? end : maxWords)
  return kept.slice(0, kept.findLastIndex(word => !joining.test(word)) + 1).join(' ')
}
