/** How well a text fits one of several names: exactly, from the beginning, by its words, or with a slip of a letter. */

/** Text without case and accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsIn = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Words of this length may have one letter wrong. */
const FUZZY_LENGTH = 4
const MAX_WORDS = 8
const MAX_LETTERS = 100

/**
 * The rank of the best name, smaller is better; undefined if none fits. Each word of the text must fit a word of the name. The
 * first name is its label, which ranks before the others.
 */
export function matchRank(names: readonly string[], text: string): number | undefined {
  const wanted = wordsIn(text.slice(0, MAX_LETTERS)).slice(0, MAX_WORDS)
  if (wanted.length === 0) return undefined
  const whole = wanted.join(' ')
  let best: number | undefined
  for (const [i, name] of names.entries()) {
    const words = wordsIn(name)
    const joined = words.join(' ')
    const rank =
      (joined === whole
        ? 0
        : joined.startsWith(`${whole} `)
          ? 2
          : joined.startsWith(whole)
            ? 3
            : worst(wanted.map(word => wordRank(word, words)))) + (i > 0 ? 1 : 0)
    if (best === undefined || rank < best) best = rank
  }
  return best === undefined || best >= NONE ? undefined : best
}

const NONE = 100
const worst = (ranks: readonly number[]): number => Math.max(...ranks)

function wordRank(wanted: string, words: readonly string[]): number {
  if (words.includes(wanted)) return 4
  if (words.some(word => word.startsWith(wanted))) return 6
  if (wanted.length >= FUZZY_LENGTH && words.some(word => isNear(wanted, word))) return 10
  return NONE
}

/** Whether a word, or its beginning, differs in one letter, or has two swapped. */
function isNear(wanted: string, word: string): boolean {
  return [wanted.length - 1, wanted.length, wanted.length + 1].some(
    length => length <= word.length && differsOnce(wanted, word.slice(0, length)),
  )
}

function differsOnce(a: string, b: string): boolean {
  if (a[0] !== b[0]) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  )
}
