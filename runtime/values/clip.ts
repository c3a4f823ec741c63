/** Clips a text to a number of UTF-16 units, between characters and with an ellipsis. */
export function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${beginning(text, max - 1)}…`
}

/** The first UTF-16 units of a text, without half a character at the end. */
export function beginning(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

/** The start of another server's response as text that every database accepts: no NUL. */
export function bodyText(body: Buffer, max: number): string {
  return beginning(body.toString('utf8'), max).replaceAll('\0', '\ufffd')
}
