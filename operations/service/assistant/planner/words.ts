/** A question as words: in small letters, without accents and apostrophes; paths and dates stay whole. */

export interface Word {
  /** As it is compared. */
  readonly text: string
  /** As it was written. */
  readonly raw: string
  /** Punctuation between it and the word before: `.` for the end of a sentence, `,` for a comma, '' for neither. */
  readonly after: '' | ',' | '.'
}

/** Letters that have no accent to lose. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđı]/g, letter => letters[letter] ?? letter)
    .replace(/['’`]/g, '')

/** Words beyond are not read: a question has at most 2,000 characters. */
const maxWords = 200

const pieces = /(?<=^|[\s"“(])(\/[^\s"”)]*)|\d{4}-\d\d-\d\d|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*|[.?!;:,\n]/gu

export function wordsOf(question: string): Word[] {
  const words: Word[] = []
  let after: Word['after'] = ''
  for (const [piece] of question.normalize('NFC').matchAll(pieces)) {
    if (/^[.?!;:\n]$/.test(piece)) after = '.'
    else if (piece === ',') after = after || ','
    else {
      const raw = piece.startsWith('/') ? piece.replace(/[?!.,;:]+$/, '') || '/' : piece
      words.push({ text: raw.startsWith('/') ? raw : folded(raw), raw, after: words.length === 0 ? '' : after })
      after = raw === piece ? '' : /[?!.;]/.test(piece.slice(raw.length)) ? '.' : ','
    }
    if (words.length === maxWords) break
  }
  return words
}

/** The words of a name, each without the ending of its plural. */
export const stemsOf = (name: string): string[] => (folded(name).match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)

export const stem = (word: string): string =>
  word.length > 4 && /ies$/.test(word) ? word.replace(/ies$/, 'y') : word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
