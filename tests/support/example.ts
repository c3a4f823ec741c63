/** The code of a page that a mark names: `<!-- example: client.ts -->`, and behind it the fenced block. */
import assert from 'node:assert/strict'
import fs from 'node:fs'

/** @param name the mark's text; may be left out where a page has one */
export function exampleOf(page: string, name = '\\S+'): string {
  const mark = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``)
  const code = mark.exec(fs.readFileSync(page, 'utf8'))?.[1]
  assert.ok(code, `${page} has no example ${name}`)
  return code
}
