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
import { type Language, languages, type Reader } from './reader.ts'
import { withSpaces } from './spaces.ts'

/** Ids with their texts. */
export type Texts = Readonly<Record<string, string>>

interface Catalogue {
  readonly byId: ReadonlyMap<string, string>
  /** Translations of what is declared, by its English; made when one is first looked up. */
  byEnglish?: ReadonlyMap<string, string>
}
/** Constant, so that one copy serves every app of the process. */
const loaded = new Map<string, Catalogue>([['en', { byId: new Map() }]])

/** English texts of the table, by id. */
type Declared = () => Iterable<readonly [id: string, english: string, help?: string | undefined]>
const sources: Declared[] = []

/** Registers what a table declares. It is read when the first page is drawn. */
export function declareTexts(source: Declared): void {
  sources.push(source)
  for (const catalogue of loaded.values()) delete catalogue.byEnglish
}

/** Loads the translations of a reader's language. Texts that are looked up before are English. */
export async function loadTexts({ locale }: Reader): Promise<void> {
  if (loaded.has(locale) || !languages.some(each => each === locale)) return
  const texts = await readTexts(locale as Language)
  loaded.set(locale, { byId: new Map(Object.entries(locale === 'fr' ? withSpaces(texts) : texts)) })
}

/** The translation of an id. */
export const textOf = ({ locale }: Reader, id: string): string | undefined => loaded.get(locale)?.byId.get(id)

/** A text of the table in the language of the reader; the English, if it has no translation. */
export function declaredText({ locale }: Reader, english: string): string {
  const catalogue = loaded.get(locale)
  if (!catalogue) return english
  catalogue.byEnglish ??= byEnglish(catalogue.byId)
  return catalogue.byEnglish.get(english) ?? english
}

function byEnglish(byId: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>()
  const helps = new Map<string, string>()
  for (const source of sources)
    for (const [id, english, help] of source()) {
      const text = byId.get(id)
      if (text !== undefined && !found.has(english)) found.set(english, text)
      if (help !== undefined) helps.set(english, help)
    }
  // The text for people is English: it is shown only if no place with this description has a translation.
  return new Map([...helps, ...found])
}

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
