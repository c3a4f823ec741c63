/**
 * French has a space before its signs, and within quotation marks, where no line may end. Catalogues have a plain one, which can
 * be seen. A sign that a word follows at once, as in `:id`, is none of these.
 */
const before = / (?=[;!?](?!\w))/g
const wideBefore = / (?=[:»](?!\w))/g
const after = /« /g

/** @returns the same words of a catalogue, with spaces that do not wrap */
export const withSpaces = <T extends Readonly<Record<string, string>>>(texts: T): T =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replace(before, '\u202f').replace(wideBefore, '\u00a0').replace(after, '«\u00a0'),
    ]),
  ) as T // the same keys
