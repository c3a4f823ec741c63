/**
 * Invisible characters. Names, paths and values are written by visitors, and hidden characters in them could
 * mislead a person, a terminal or a model that reads them (Unicode TR #36, CVE-2021-42574): control characters, bidi
 * overrides, invisible letters, separators of lines, and lone surrogates, which Postgres refuses. Joiners stay, as
 * Persian and emoji need them.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]/gu
const joiners = ['\u200c', '\u200d']
const kept = Object.freeze({ line: new Set(joiners), lines: new Set([...joiners, '\n', '\t']) })
const plain = /^[\x20-\x7e]*$/

/** @param form `line`: one line, as names and values are; `lines`: line feeds and tabs stay */
export function withoutHidden(text: string, form: keyof typeof kept = 'line'): string {
  return plain.test(text) ? text : text.replace(hidden, character => (kept[form].has(character) ? character : ''))
}
