const ascii = /^[\x00-\x7f]*$/

/** A text in Unicode normalization form C (UAX #15), so that `é` is one value, whether it was typed as one character or two. */
export const composed = (text: string): string => (ascii.test(text) ? text : text.normalize('NFC'))
