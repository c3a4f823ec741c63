/** Tables of the manual that are made of the code: the part of a page between `<!-- name -->` and `<!-- /name -->`. */
import fs from 'node:fs'
import path from 'node:path'
import { table } from '../../operations/index.ts'
import { settings } from '../../runtime/settings/config.ts'
import type { Setting } from '../../runtime/settings/setting.ts'
import { detailCodes, errors } from '../../runtime/table/errors.ts'
import { detailRemedies, remedies } from './remedies.ts'
import { root } from './root.ts'

interface DocsTable {
  readonly page: string
  readonly name: string
  readonly lines: readonly string[]
}

export const docsTables: readonly DocsTable[] = [
  {
    page: 'docs/configuration.md',
    name: 'settings',
    lines: [
      '| setting | default | |',
      '|---|---|---|',
      ...Object.entries<Setting>({ ...settings, ...table.settings }).map(
        ([name, row]) => `| \`${name}\` | ${row.default === '' ? '' : `\`${row.default}\``} | ${row.description} |`,
      ),
    ],
  },
  {
    page: 'docs/operations.md',
    name: 'tasks',
    lines: ['| task | purpose |', '|---|---|', ...table.tasks.map(({ name, summary }) => `| \`${name}\` | ${summary} |`)],
  },
  {
    page: 'docs/decisions.md',
    name: 'events',
    lines: ['| event | emitted when |', '|---|---|', ...table.events.map(({ type, summary }) => `| \`${type}\` | ${summary} |`)],
  },
  {
    page: 'docs/errors.md',
    name: 'errors',
    lines: [
      '| code | status | means | what to do |',
      '|---|---|---|---|',
      ...entriesOf(errors).map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} | ${remedies[code]} |`),
    ],
  },
  {
    page: 'docs/errors.md',
    name: 'details',
    lines: ['| code | what to do |', '|---|---|', ...detailCodes.map(code => `| \`${code}\` | ${detailRemedies[code]} |`)],
  },
]

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][] // its own keys
}

/** Writes the table into its page, unless `check`. @returns whether the page had it already */
export function writeDocsTable({ page, name, lines }: DocsTable, { check = false } = {}): boolean {
  const file = path.join(root, page)
  const text = fs.readFileSync(file, 'utf8')
  const part = new RegExp(`<!-- ${name} -->\n[^]*?<!-- /${name} -->`)
  if (!part.test(text)) throw new Error(`${page} has no place for the ${name}: <!-- ${name} --> and <!-- /${name} -->`)
  const updated = text.replace(part, () => `<!-- ${name} -->\n${lines.join('\n')}\n<!-- /${name} -->`)
  if (!check && updated !== text) fs.writeFileSync(file, updated)
  return updated === text
}
