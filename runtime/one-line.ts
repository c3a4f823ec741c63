/**
 * The rule for names of records, and everything else that is shown on one line: in lists, subjects of mail and chat.
 * Line breaks and control characters become a space; characters that hide or reorder others are dropped (Unicode TR #36).
 * Joiners stay, as Persian and emoji need them.
 */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const hidden = /[\p{Cf}\u{e0000}-\u{e0fff}]/gu
const joiners: ReadonlySet<string> = new Set(['\u200c', '\u200d'])

export const oneLine = (text: string): string =>
  text
    .replace(breaks, ' ')
    .replace(hidden, character => (joiners.has(character) ? character : ''))
    .trim()
