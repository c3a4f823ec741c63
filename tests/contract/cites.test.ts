/** References in sources and docs exist: pages, their sections, and targets of links. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'data', '.git'])
/** Files that may contain references, and the pages in the root. */
const files = fs
  .readdirSync('.', { withFileTypes: true })
  .filter(({ name }) => !skipped.has(name))
  .flatMap(entry =>
    entry.isDirectory()
      ? fs.readdirSync(entry.name, { recursive: true, encoding: 'utf8' }).map(file => path.join(entry.name, file))
      : [entry.name],
  )
  .filter(file => !/(^|[/\\])node_modules[/\\]/.test(file))
const sources = files.filter(file => /\.(ts|mjs)$/.test(file) && file !== 'tests/contract/cites.test.ts')
const pages = files.filter(file => file.endsWith('.md'))
const read = (file: string): string => fs.readFileSync(file, 'utf8')

/** `docs/decisions.md §4`, also across a line break. */
const cite = /([\w./-]+\.md)(?:(?:\s+\*)?\s+§(\d+(?:\.\d+)*))?/g

function hasSection(page: string, section: string): boolean {
  return new RegExp(`^#{2,4} ${section.replaceAll('.', '\\.')}\\.? `, 'm').test(read(page))
}

test('every page that a source cites is in the repository, with the section', () => {
  const missing: string[] = []
  for (const file of sources) {
    for (const [whole, page = '', section] of read(file).matchAll(cite)) {
      if (!fs.existsSync(page)) missing.push(`${file}: ${whole}`)
      else if (section !== undefined && !hasSection(page, section)) missing.push(`${file}: ${whole}: no such section`)
    }
  }
  assert.deepEqual(missing, [])
})

test('every relative link of a page leads to a file, and to a heading of it', () => {
  const broken: string[] = []
  for (const file of pages) {
    for (const [whole, target = ''] of withoutCode(read(file)).matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [name = '', heading] = target.split('#')
      const page = name === '' ? file : path.join(path.dirname(file), name)
      if (!fs.existsSync(page)) broken.push(`${file}: ${whole}`)
      else if (heading !== undefined && !headings(page).has(heading)) broken.push(`${file}: ${whole}: no such heading`)
    }
    for (const [whole, target = ''] of read(file).matchAll(/(?:src|srcset|href)="((?!\w+:)[^"]+\.(?:svg|png|md))"/g)) {
      if (!fs.existsSync(path.join(path.dirname(file), target))) broken.push(`${file}: ${whole}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('every page that another one names in its text is in the repository, and so is the source file', () => {
  const missing: string[] = []
  for (const file of pages.filter(file => file !== 'CHANGELOG.md')) {
    for (const [, named = ''] of read(file).matchAll(
      /`((?:adapters|operations|runtime|storage|scripts|tests|tracker|spec|docs)\/[\w./-]*)`/g,
    )) {
      if (!fs.existsSync(named)) missing.push(`${file}: ${named}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('every page of docs/ can be reached from the README', () => {
  const seen = new Set<string>()
  const follow = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, target = ''] of withoutCode(read(file)).matchAll(/\]\(([^()\s#]+\.md)(?:#[^()\s]*)?\)/g)) {
      if (!/^[a-z]+:/.test(target)) follow(path.join(path.dirname(file), target))
    }
  }
  follow('README.md')
  assert.deepEqual(
    pages.filter(file => file.startsWith('docs/') && !seen.has(file)),
    [],
  )
})

function withoutCode(text: string): string {
  return text.replace(/```[^]*?```/g, '').replace(/`[^`\n]*`/g, '')
}

/** The anchors that GitHub generates for a page's headings. */
function headings(page: string): Set<string> {
  const titles = [
    ...read(page)
      .replace(/```[^]*?```/g, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ].map(([, title = '']) => title)
  return new Set(
    titles.map(title =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}
