const foreign = /[^ -~]/

/** A text in Unicode normalization form C (UAX #15), so that `é` is one value, whether it was typed as one character or two. */
export const composed = (text: string): string => (foreign.test(text) ? text.normalize('NFC') : text)

/**
 * Tests a text as it is and, if that fails, composed: texts that were stored before they were composed are found as well. A test
 * for ASCII texts stays as it is.
 * @param wanted the texts that the test looks for
 */
export function orComposed(passes: (text: string) => boolean, wanted: readonly unknown[]): (text: string) => boolean {
  if (!wanted.some(each => foreign.test(String(each)))) return passes
  return text => passes(text) || passes(composed(text))
}
