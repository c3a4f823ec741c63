/** The text, cut to so many UTF-16 units with a sign that it was, between whole characters. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
