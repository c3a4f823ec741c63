/**
 * Translations, by the ids of texts. Each area keeps its own in `texts/de.json` and so on; the build puts those of a language
 * into one file, which is read when the first person asks for the language. A text without a translation is shown in English.
 *
 * Ids of what the table declares are places: `alerts_create.summary`, `alerts_create.window_minutes` (help of a field),
 * `Alert.state` (description of a field of a record). Many places declare the same English: one of them has the translation,
 * and the others share it. Labels are `field.window_minutes` and `value.triggered`, messages `alerts.not_paused`.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { yieldWhereDue } from '../../storage/system/event-loop.ts'
import { type Language, languages, type Reader } from './reader.ts'
import { withSpaces } from './spaces.ts'

/** Ids with their texts. */
export type Texts = Readonly<Record<string, string>>

interface Catalogue {
  readonly byId: ReadonlyMap<string, string>
  /** Translations of what is declared, by its English. They are used until the texts of a later table are joined as well. */
  byEnglish?: ReadonlyMap<string, string>
  /** Sets `byEnglish` for all tables; undefined if a table was declared since. */
  joining?: Promise<void>
}
/** Constant, so that one copy serves every app of the process. */
const loaded = new Map<string, Catalogue>([['en', { byId: new Map() }]])

/** An English text of the table. */
interface Declared {
  readonly id: string
  readonly english: string
  /** Text for people, if the English speaks to programs. */
  readonly help?: string | undefined
}
/** In pieces, between which other work may go on. */
type Source = () => Iterable<readonly Declared[]>
const sources: Source[] = []

/** Registers what a table declares. It is read when a language is first loaded. */
export function declareTexts(source: Source): void {
  sources.push(source)
  for (const catalogue of loaded.values()) delete catalogue.joining
}

/** Loads the translations of a reader's language. Texts that are looked up before are English. */
export async function loadTexts({ locale }: Reader): Promise<void> {
  const catalogue = loaded.get(locale) ?? (await readCatalogue(locale))
  if (catalogue) await (catalogue.joining ??= join(catalogue))
}

async function readCatalogue(locale: string): Promise<Catalogue | undefined> {
  if (!languages.some(each => each === locale)) return undefined
  const texts = await readTexts(locale as Language)
  const catalogue = loaded.get(locale) ?? { byId: new Map(Object.entries(locale === 'fr' ? withSpaces(texts) : texts)) }
  loaded.set(locale, catalogue)
  return catalogue
}

/** Finds the translations of declared texts. It yields meanwhile: that is the work of several turns. */
async function join(catalogue: Catalogue): Promise<void> {
  const count = sources.length
  const found = new Map<string, string>()
  const helps = new Map<string, string>()
  for (const source of sources.slice())
    for (const piece of source()) {
      for (const { id, english, help } of piece) {
        const text = catalogue.byId.get(id)
        if (text !== undefined && !found.has(english)) found.set(english, text)
        if (help !== undefined) helps.set(english, help)
      }
      await yieldWhereDue()
    }
  if (count !== sources.length) return join(catalogue) // another table was declared meanwhile
  // The text for people is English: it is shown only if no place with this description has a translation.
  catalogue.byEnglish = new Map([...helps, ...found])
}

/** The translation of an id. */
export const textOf = ({ locale }: Reader, id: string): string | undefined => loaded.get(locale)?.byId.get(id)

/** A text of the table in the language of the reader; the English, if it has no translation. */
export const declaredText = ({ locale }: Reader, english: string): string => loaded.get(locale)?.byEnglish?.get(english) ?? english

/** All translations of a language: from `dist/`; when running from sources, from the areas' folders. */
async function readTexts(language: Language): Promise<Texts> {
  if (!import.meta.built) return mergedTexts(fileURLToPath(new URL('../..', import.meta.url)), language)
  const { resolve } = createRequire(import.meta.url)
  return JSON.parse(await fs.promises.readFile(resolve(`#built/texts/${language}.json`), 'utf8')) as Texts
}

/** Files with translations of a language below a checkout. */
export const textFiles = (root: string, language: Language): string[] =>
  ['operations', 'runtime', 'adapters'].flatMap(floor =>
    fs
      .readdirSync(path.join(root, floor), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith(`texts/${language}.json`))
      .map(file => path.join(root, floor, file))
      .sort(),
  )

/** @throws Error if two areas have a text of one id */
export function mergedTexts(root: string, language: Language): Texts {
  const texts: Record<string, string> = {}
  const places = new Map<string, string>()
  for (const file of textFiles(root, language))
    for (const [id, text] of Object.entries(JSON.parse(fs.readFileSync(file, 'utf8')) as Texts)) {
      const other = places.get(id)
      if (other !== undefined) throw new Error(`${file} and ${other} both have the text ${id}. Keep one of them.`)
      places.set(id, file)
      texts[id] = text
    }
  return texts
}
