/** The text, cut to so many UTF-16 units with a sign that it was, between whole characters. */
export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most - 1)}…`
}

/** The first so many UTF-16 units of a text, without half a character at the end. */
export function beginning(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** The beginning of what somebody's server answered, as text that every database takes: no NUL. */
export function answered(body: Buffer, most: number): string {
  return beginning(body.toString('utf8'), most).replaceAll('\0', '\ufffd')
}
