/** The changelog of the next release, made of one small file per change (changes/README.md). */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Sections in the order of a release, by the first word of a file's name. */
const sections = {
  breaking: 'Breaking',
  security: 'Security',
  added: 'Added',
  changed: 'Changed',
  deprecated: 'Deprecated',
  removed: 'Removed',
  fixed: 'Fixed',
} as const
type Kind = keyof typeof sections
const kinds = Object.keys(sections) as Kind[]
const NAME = new RegExp(`^(${kinds.join('|')})-[a-z0-9]+(?:-[a-z0-9]+)*\\.md$`)
const MAX_LENGTH = 400
const WIDTH = 140
const UNRELEASED = 'Unreleased'

export interface Change {
  readonly file: string
  readonly kind: Kind
  readonly text: string
}

/** @throws Error that names the file and what is wrong with it */
export function changesIn(folder: string): Change[] {
  return fs
    .readdirSync(folder)
    .filter(file => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map(file => {
      const kind = NAME.exec(file)?.[1] as Kind | undefined
      if (kind === undefined) throw new Error(`changes/${file}: the name is a section (${kinds.join(', ')}), "-" and words`)
      const given = fs.readFileSync(path.join(folder, file), 'utf8').trim()
      const text = given.replace(/\s+/g, ' ')
      if (text === '' || text.length > MAX_LENGTH || /\n\s*\n|^[-#*] /.test(given))
        throw new Error(`changes/${file}: one paragraph of at most ${MAX_LENGTH} characters, without a list or a heading`)
      return { file, kind, text }
    })
}

interface Parts {
  readonly head: string
  /** The changes under *Unreleased*, by section. */
  readonly unreleased: ReadonlyMap<string, string>
  /** The sections of all released versions, which never change. */
  readonly released: string
}

export function partsOf(changelog: string): Parts {
  const at = [...changelog.matchAll(/^## (\S+)/gm)]
  const first = at.find(([, name]) => name !== UNRELEASED)?.index ?? changelog.length
  const open = at.find(([, name]) => name === UNRELEASED)?.index ?? first
  const [, ...parts] = changelog.slice(open, first).split(/^### /m)
  const unreleased = parts.map(part => [part.slice(0, part.indexOf('\n')).trim(), part.slice(part.indexOf('\n')).trim()] as const)
  return { head: changelog.slice(0, open), unreleased: new Map(unreleased), released: changelog.slice(first) }
}

/** The sections of the next release: the changes under *Unreleased*, and below them the changes of files. */
export function joined(changelog: string, changes: readonly Change[]): string {
  const { unreleased } = partsOf(changelog)
  const names = [...new Set<string>([...Object.values(sections), ...unreleased.keys()])]
  return names
    .flatMap(name => {
      const items = changes.filter(({ kind }) => sections[kind] === name).map(({ text }) => wrapped(text.replaceAll('](../', '](')))
      const all = [unreleased.get(name) ?? '', ...items].filter(Boolean)
      return all.length === 0 ? [] : [`### ${name}\n\n${all.join('\n')}\n`]
    })
    .join('\n')
}

/** The changelog with these changes as the section of a version. @param day `2026-12-01` */
export function released(changelog: string, changes: readonly Change[], { version, day }: { version: string; day: string }): string {
  const { head, released: before } = partsOf(changelog)
  return `${head}## ${version} — ${day}\n\n${joined(changelog, changes)}\n${before}`
}

/** Digest of the sections of all released versions. */
export const digestOf = (changelog: string): string => createHash('sha256').update(partsOf(changelog).released).digest('hex')

/** Formats a text as an item of a list, in lines of at most `WIDTH` characters. */
function wrapped(text: string): string {
  const lines = ['-']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length + 1 > WIDTH) lines.push(`  ${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
