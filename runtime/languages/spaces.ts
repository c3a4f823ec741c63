/** French signs have a space before or within them where no line may end. Catalogues have a plain one, which can be seen. */
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
