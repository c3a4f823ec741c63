/** Limits the nesting of JSON, because code that reads or writes it recursively fails at some ten thousand levels. */

/** The same limit as for a collected hit. */
export const MAX_LEVELS = 48
/** A shorter text cannot nest deep enough to do harm. */
const HARMLESS = 2_000

export const tooDeep = `this nests deeper than ${MAX_LEVELS} levels`

/** Whether a text of JSON nests too deep. */
export function isTooDeep(text: string): boolean {
  if (text.length < HARMLESS) return false
  let [levels, inText] = [0, false]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inText) {
      if (code === 92) i++
      else if (code === 34) inText = false
    } else if (code === 34) inText = true
    else if (code === 123 || code === 91) {
      if (++levels > MAX_LEVELS) return true
    } else if (code === 125 || code === 93) levels--
  }
  return false
}
