/** Clips a text to a number of UTF-16 units, between characters and with an ellipsis. */
export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most - 1)}…`
}

/** The first UTF-16 units of a text, without half a character at the end. */
export function beginning(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** The start of another server's response as text that every database accepts: no NUL. */
export function answered(body: Buffer, most: number): string {
  return beginning(body.toString('utf8'), most).replaceAll('\0', '\ufffd')
}
