/**
 * Counts words and phrases that make sentences hard to read (CONTRIBUTING.md, Style), in comments, texts, test titles and
 * docs. `words.json` has the largest allowed counts, by folder. They may only fall.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const allowedFile = 'tests/contract/words.json'

/** Phrases with their patterns and better choices. */
const phrases = {
  somebody: {
    pattern: /\b(?:some|no|any|every)body\b|\bwhoever\b/gi,
    better: 'the role: visitor, member, owner, operator, caller, anyone',
  },
  told: { pattern: /\b(?:told|tells)\b/gi, better: 'returned, reported, sent, mailed, printed or shown' },
  beside: { pattern: /\bbeside\b/gi, better: 'next to, with, in addition to, or compared with' },
  alone: { pattern: /\balone\b/gi, better: '“only”, directly before the word that it limits' },
  stands: { pattern: /\bstands?\b/gi, better: 'is, contains, returns, or another precise verb' },
  anew: { pattern: /\b(?:anew|lent|heeds?|thereby|whereof)\b/gi, better: 'again, borrowed, follows, so, of which' },
  'is of': { pattern: /\b(?:is|are) of\b/gi, better: 'belongs to, applies to, or a compound noun' },
  'that of': { pattern: /\b(?:that|those) of\b/gi, better: 'the noun again' },
  'leading what': { pattern: /(?<=^[\s*/#>|-]*|[.:!] )(?:What|Who)\b(?![^.]*\?)/gm, better: 'a noun, or “if …”' },
  'closed day': { pattern: /\bclosed days?\b/gi, better: '“sealed day”, the term of docs/glossary.md' },
} as const
type Phrase = keyof typeof phrases
const names = Object.keys(phrases) as Phrase[]

const docs = ['docs', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
const sources = ['operations', 'adapters', 'runtime', 'storage', 'scripts', 'tracker']
const groups = { docs, sources, tests: ['tests'] } as const
/** Translations repeat English texts; the glossary and this test name the phrases. */
const skipped = /(?:texts|languages)\/(?:de|es|fr)\b|docs\/glossary\.md|contract\/words\./

interface Found {
  readonly place: string
  readonly changedAt: number
}

/** Sentences of a file, line by line: of a page without its code; of a source, its comments and quoted texts. */
function sentencesOf(file: string): readonly string[] {
  const text = fs.readFileSync(file, 'utf8')
  if (!file.endsWith('.md')) {
    return text.split('\n').map(line => {
      if (/^\s*(?:\/\*|\*|\/\/)/.test(line)) return line
      const texts = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
      const comment = /(?:^|\s)\/\/ .*$/.exec(line)?.[0] ?? ''
      return [...texts.map(each => each.slice(1, -1)).filter(each => /\w \w/.test(each)), comment].join(' . ')
    })
  }
  // Released entries of the changelog are never edited.
  const current = file === 'CHANGELOG.md' ? (/^[^]*?\n## Unreleased\n[^]*?(?=\n## )/.exec(text)?.[0] ?? '') : text
  const blank = (code: string) => code.replace(/[^\n]/g, '')
  return current
    .replace(/```[^]*?```/g, blank)
    .replace(/`[^`\n]*`/g, '`')
    .split('\n')
}

function filesIn(folder: string): readonly string[] {
  if (!fs.statSync(folder).isDirectory()) return [folder]
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => path.posix.join(folder, file))
    .filter(file => /\.(?:tsx?|m?js|md)$/.test(file) && !skipped.test(file))
    .sort()
}

/** Where a folder has each phrase. */
function phrasesIn(folder: string): Record<Phrase, Found[]> {
  const found = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Phrase, Found[]>
  for (const file of filesIn(folder)) {
    const changedAt = fs.statSync(file).mtimeMs
    for (const [i, line] of sentencesOf(file).entries()) {
      for (const name of names) {
        for (const _ of line.matchAll(phrases[name].pattern)) found[name].push({ place: `${file}:${i + 1}`, changedAt })
      }
    }
  }
  return found
}

type Counts = Record<string, Record<string, number>>
const allowed = JSON.parse(fs.readFileSync(allowedFile, 'utf8')) as Counts
const folders = Object.values(groups).flat()
const found = new Map(folders.map(folder => [folder, phrasesIn(folder)]))
const countOf = (folder: string, name: Phrase) => found.get(folder)?.[name].length ?? 0

/** A group counts as a whole, so that text may move between its folders. */
for (const [group, members] of Object.entries(groups)) {
  test(`${group} contain no more phrases that are hard to read than before`, () => {
    const faults = names.flatMap(name => {
      const now = members.reduce((sum, folder) => sum + countOf(folder, name), 0)
      const before = members.reduce((sum, folder) => sum + (allowed[folder]?.[name] ?? 0), 0)
      if (now <= before) return []
      const newest = members
        .flatMap(folder => found.get(folder)?.[name] ?? [])
        .sort((a, b) => b.changedAt - a.changedAt)
        .slice(0, now - before + 5)
      const places = newest.map(({ place }) => place).join(', ')
      return [
        `“${name}” ${now} times instead of at most ${before}. Write ${phrases[name].better} (CONTRIBUTING.md, Style). Newest files first: ${places}`,
      ]
    })
    assert.deepEqual(faults, [])
  })
}

test('words.json has the folders and phrases of this test; WRITE_DOCS=1 lowers its counts', () => {
  if (process.env.WRITE_DOCS === '1') {
    const hasRisen = (members: readonly string[], name: Phrase) =>
      members.reduce((rise, folder) => rise + countOf(folder, name) - (allowed[folder]?.[name] ?? countOf(folder, name)), 0) > 0
    const lowered = Object.values(groups).flatMap(members =>
      members.map(folder => {
        const counts = names.map(name => `"${name}": ${hasRisen(members, name) ? (allowed[folder]?.[name] ?? 0) : countOf(folder, name)}`)
        return `  "${folder}": { ${counts.join(', ')} }`
      }),
    )
    fs.writeFileSync(allowedFile, `{\n${lowered.join(',\n')}\n}\n`)
    return
  }
  assert.deepEqual(Object.keys(allowed).sort(), [...folders].sort())
  for (const counts of Object.values(allowed)) assert.deepEqual(Object.keys(counts), names)
})
