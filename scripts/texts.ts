/**
 * `npm run texts`: what translators have to do, by area. Each area has its translations in `texts/de.json`, `es.json` and
 * `fr.json`, and in `texts/en.json` the English that they were made from.
 *
 * - new: a text for people that a language does not have; pages show the English. Of the table, these are the texts of an
 *   operation with a page or a form, and labels of fields in forms and in records without a view of their own. Texts of
 *   results, records and operations for programs may be translated, but need not
 * - stale: its English has changed since it was translated
 * - left over: no code has this id any more
 *
 * `--check` fails if there is any of these, which a release needs. `--write` makes `en.json` of the code after the
 * translations were brought up to date, and deletes what is left over.
 */
import type { TSchema } from '@sinclair/typebox'
import fs from 'node:fs'
import path from 'node:path'
import { table } from '../operations/index.ts'
import '../adapters/index.ts'
import { hasView, loadAreaViews } from '../adapters/pages/area-views.ts'
import '../adapters/pages/called.ts'
import '../adapters/pages/messages.ts'
import { hasForm, hasPage } from '../adapters/surfaces.ts'
import { wordsOfField } from '../runtime/texts/names.ts'
import { declaredMessages } from '../runtime/texts/message.ts'
import { languages } from '../runtime/texts/reader.ts'
import { textsOf } from '../runtime/table/table-texts.ts'
import { root } from './build/root.ts'

type Texts = Readonly<Record<string, string>>
const translated = languages.filter(language => language !== 'en')
const floors = ['operations', 'runtime', 'adapters']

/** English texts of the code by id, as people read them. */
interface Code {
  /** Texts that the table declares. Places with the same English share a translation. */
  readonly table: ReadonlyMap<string, string>
  readonly messages: ReadonlyMap<string, string>
}

/** Declares the messages of pages too, which load with the first page. */
export async function loadMessages(): Promise<void> {
  for (const { views } of table.areas) await views?.()
}

export async function textsInCode(): Promise<Code> {
  await loadMessages()
  await loadAreaViews(table)
  return { table: new Map(textsOf(table).map(({ id, english, help }) => [id, help ?? english])), messages: declaredMessages() }
}

/** Files that end in `name`, from the root. */
const filesNamed = (name: string): string[] =>
  floors.flatMap(floor =>
    fs
      .readdirSync(path.join(root, floor), { recursive: true, encoding: 'utf8' })
      .filter(file => `/${file}`.endsWith(`/${name}`))
      .map(file => path.join(floor, file))
      .sort(),
  )

const read = (file: string): Texts => (fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Texts) : {})

/** Folders with translations, from the root. */
const folders = (): string[] => filesNamed('texts/de.json').map(path.dirname)

export interface Work {
  readonly folder: string
  readonly kind: 'new' | 'stale' | 'left over'
  readonly language: string
  readonly id: string
}

/** Everything that translators have to do. */
export function workOf({ table: declared, messages }: Code): Work[] {
  const work: Work[] = []
  const has = new Map(translated.map(language => [language, new Set<string>()]))
  for (const folder of folders()) {
    const sources = read(path.join(root, folder, 'en.json'))
    for (const language of translated)
      for (const id of Object.keys(read(path.join(root, folder, `${language}.json`)))) {
        const now = messages.get(id) ?? declared.get(id)
        has.get(language)?.add(id)
        if (now === undefined) work.push({ folder, kind: 'left over', language, id })
        else if (sources[id] !== now) work.push({ folder, kind: 'stale', language, id })
      }
  }
  const labels = labelsForPeople()
  for (const language of translated) {
    const done = has.get(language) ?? new Set<string>()
    const shared = new Set([...declared].filter(([id]) => done.has(id)).map(([, text]) => text))
    const missing = [
      ...[...messages].filter(([, text]) => hasWords(text)),
      ...[...declared].filter(([id, text]) => isForPeople(id, labels) && !shared.has(text) && !shared.has(labelOf(id))),
    ].filter(([id]) => !done.has(id))
    for (const [id] of missing) work.push({ folder: `${id.split('.')[0]}`, kind: 'new', language, id })
  }
  return work
}

/** Names of fields that forms have, and pages without a view of their own. */
function labelsForPeople(): ReadonlySet<string> {
  const names = new Set<string>()
  const look = ({ properties, items, anyOf = [] }: TSchema): void => {
    for (const inner of [...anyOf, ...(items ? [items] : [])]) look(inner as TSchema)
    for (const [name, field] of Object.entries<TSchema>(properties ?? {})) {
      names.add(name)
      look(field)
    }
  }
  for (const operation of table.operations.values()) {
    if (hasForm(operation) || hasPage(operation)) look(operation.input)
    if (hasPage(operation) && !hasView(table, operation)) look(operation.output)
  }
  return names
}

/** How pages call the field of a label's id: `field.goal_id` → `Goal`; the empty text for another id. */
const labelOf = (id: string): string => (id.startsWith('field.') ? wordsOfField(id.slice('field.'.length)) : '')

/** Whether pages show this text of the table. */
function isForPeople(id: string, labels: ReadonlySet<string>): boolean {
  const [name = '', part = '', ...inner] = id.split('.')
  if (name === 'field') return labels.has(part)
  const operation = table.operations.get(name)
  if (!operation || inner.length > 0) return name === 'permission'
  const [page, form] = [hasPage(operation), hasForm(operation)]
  const shown = new Map([
    ['summary', page || form],
    ['description', page || form],
    ['title', page],
    ['empty', page],
    ['label', form],
    ['done', form],
  ])
  return shown.get(part) ?? (form && Object.hasOwn(operation.input.properties, part))
}

/** Whether there is anything to translate: `{first}; {second}` has no words. */
const hasWords = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''))

function write({ table: declared, messages }: Code): void {
  for (const folder of folders()) {
    const kept = new Map<string, string>()
    for (const language of translated) {
      const file = path.join(root, folder, `${language}.json`)
      const texts = Object.entries(read(file)).filter(([id]) => messages.has(id) || declared.has(id))
      for (const [id] of texts) kept.set(id, messages.get(id) ?? declared.get(id) ?? '')
      save(file, Object.fromEntries(texts))
    }
    save(path.join(root, folder, 'en.json'), Object.fromEntries(kept))
  }
}

const save = (file: string, texts: Texts): void =>
  fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`)

if (process.argv[1]?.endsWith('texts.ts')) void run()

async function run(): Promise<void> {
  const code = await textsInCode()
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
