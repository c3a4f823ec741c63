const foreign = /[^ -~]/

/** A text in Unicode normalization form C (UAX #15), so that `é` is one value, whether it was typed as one character or two. */
export const composed = (text: string): string => (foreign.test(text) ? text.normalize('NFC') : text)
