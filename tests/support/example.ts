/** The code block of a page behind a marker: `<!-- example: client.ts -->`. */
import assert from 'node:assert/strict'
import fs from 'node:fs'

/** @param name text of the marker; optional if the page has only one */
export function exampleOf(page: string, name = '\\S+'): string {
  const mark = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``)
  const code = mark.exec(fs.readFileSync(page, 'utf8'))?.[1]
  assert.ok(code, `${page} has no example ${name}`)
  return code
}
