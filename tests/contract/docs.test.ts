/** docs/configuration.md matches the code; walk.test.ts covers CONTRIBUTING. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { table as service } from '../../operations/index.ts'
import { settings } from '../../runtime/config.ts'
import type { Setting } from '../../runtime/setting.ts'

test('docs/configuration.md lists every setting with its default and meaning', () => {
  const table = [
    '| setting | default | |',
    '|---|---|---|',
    ...Object.entries<Setting>({ ...settings, ...service.settings }).map(
      ([name, row]) => `| \`${name}\` | ${row.default === '' ? '' : `\`${row.default}\``} | ${row.description} |`,
    ),
  ].join('\n')
  const page = fs.readFileSync('docs/configuration.md', 'utf8')
  const [, listed] = /<!-- settings -->\n([^]*?)\n<!-- \/settings -->/.exec(page) ?? []
  if (listed !== table && process.env.WRITE_DOCS === '1') {
    fs.writeFileSync(
      'docs/configuration.md',
      page.replace(/<!-- settings -->\n[^]*?<!-- \/settings -->/, () => `<!-- settings -->\n${table}\n<!-- /settings -->`),
    )
  } else assert.equal(listed, table, 'WRITE_DOCS=1 npm test -- tests/contract/docs.test.ts writes it')
})
