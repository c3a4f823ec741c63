/** Which operations words are about. */
import type { NamedOperation } from '../../runtime/table.ts'

export function rank(operations: readonly NamedOperation[], query: string): NamedOperation[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return operations
    .map(operation => ({ operation, score: words.reduce((sum, word) => sum + relevance(operation, word), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ operation }) => operation)
}

function relevance({ id, summary, description, area }: NamedOperation, word: string): number {
  const stem = word.length > 3 ? word.replace(/s$/, '') : word
  const places: ReadonlyArray<readonly [number, string]> = [
    [6, id],
    [4, summary],
    [3, area],
    [2, description ?? ''],
  ]
  return places.reduce((sum, [weight, text]) => sum + (text.toLowerCase().includes(stem) ? weight : 0), 0)
}
