/**
 * `npm run texts`: what translators have to do, by area. Each area has its translations in `texts/de.json`, `es.json` and
 * `fr.json`, and in `texts/en.json` the English that they were made from.
 *
 * - new: a text of the code that a language does not have; pages show the English
 * - stale: its English has changed since it was translated
 * - left over: no code has this id any more
 *
 * `--check` fails if there is any of these, which a release needs. `--write` makes `en.json` of the code after the
 * translations were brought up to date, and deletes what is left over.
 */
import fs from 'node:fs'
import path from 'node:path'
import { table } from '../operations/index.ts'
import { declaredMessages } from '../runtime/texts/message.ts'
import { languages } from '../runtime/texts/reader.ts'
import { textsOf } from '../runtime/table/table-texts.ts'
import '../adapters/index.ts'
import { root } from './build/root.ts'

type Texts = Readonly<Record<string, string>>
const translated = languages.filter(language => language !== 'en')

/** English of the code by id, and the ids that each English has. */
export function textsInCode(): { english: Map<string, string>; ids: Map<string, string[]> } {
  const english = new Map([...textsOf(table).map(({ id, english: text }) => [id, text] as const), ...declaredMessages()])
  const ids = new Map<string, string[]>()
  for (const [id, text] of english) ids.set(text, [...(ids.get(text) ?? []), id])
  return { english, ids }
}

const read = (file: string): Texts => (fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Texts) : {})

/** Folders with translations, from the root. */
const folders = (): string[] =>
  ['operations', 'runtime', 'adapters'].flatMap(floor =>
    fs
      .readdirSync(path.join(root, floor), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('texts/de.json'))
      .map(file => path.join(floor, path.dirname(file)))
      .sort(),
  )

export interface Work {
  readonly folder: string
  readonly kind: 'new' | 'stale' | 'left over'
  readonly language: string
  readonly id: string
}

/** Everything that translators have to do. */
export function workOf({ english, ids }: ReturnType<typeof textsInCode>): Work[] {
  const work: Work[] = []
  const has = new Map(translated.map(language => [language, new Set<string>()]))
  for (const folder of folders()) {
    const sources = read(path.join(root, folder, 'en.json'))
    for (const language of translated)
      for (const id of Object.keys(read(path.join(root, folder, `${language}.json`)))) {
        const now = english.get(id)
        if (now !== undefined) has.get(language)?.add(now)
        if (now === undefined) work.push({ folder, kind: 'left over', language, id })
        else if (sources[id] !== undefined && sources[id] !== now) work.push({ folder, kind: 'stale', language, id })
      }
  }
  for (const language of translated)
    for (const [text, [id = '']] of ids)
      if (!has.get(language)?.has(text) && isSentence(text)) work.push({ folder: folderOf(id), kind: 'new', language, id })
  return work
}

/** Descriptions of fields that no page shows are for programs; they are English in every language. */
const isSentence = (text: string): boolean => declared.has(text)
const declared = new Set(declaredMessages().values())

const folderOf = (id: string): string => `${id.split('.')[0]}`

function write({ english }: ReturnType<typeof textsInCode>): void {
  for (const folder of folders()) {
    const kept = new Set<string>()
    for (const language of translated) {
      const file = path.join(root, folder, `${language}.json`)
      const texts = Object.entries(read(file)).filter(([id]) => english.has(id))
      for (const [id] of texts) kept.add(id)
      save(file, Object.fromEntries(texts))
    }
    save(path.join(root, folder, 'en.json'), Object.fromEntries([...kept].map(id => [id, english.get(id) ?? ''])))
  }
}

const save = (file: string, texts: Texts): void =>
  fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`)

if (process.argv[1]?.endsWith('texts.ts')) {
  const code = textsInCode()
  if (process.argv.includes('--write')) write(code)
  const work = workOf(code)
  for (const folder of new Set(work.map(each => each.folder)))
    for (const kind of ['new', 'stale', 'left over'] as const) {
      const ids = new Map<string, string[]>()
      for (const each of work)
        if (each.folder === folder && each.kind === kind) ids.set(each.id, [...(ids.get(each.id) ?? []), each.language])
      for (const [id, missing] of ids) process.stdout.write(`${folder}: ${kind}: ${id} (${missing.join(', ')})\n`)
    }
  process.stdout.write(`${work.length} translations to do\n`)
  if (process.argv.includes('--check') && work.length > 0) process.exitCode = 1
}
