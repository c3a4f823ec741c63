/** Names of the table as people read them. */
import { isPermission, permissions } from '../table/permissions.ts'
import { singular, words, wordsOfField } from '../texts/names.ts'
import { memoized } from '../values/memoize.ts'
import { declaredText, textOf } from '../texts/catalogues.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'
import { filterFields } from './messages.ts'
import { valueTerm } from '../texts/message.ts'

export { words }

/** A value of an enumeration, as people read it; permissions say what they allow. */
export function valueWords(value: unknown, reader: Reader): string {
  const name = String(value)
  if (isPermission(name)) return declaredText(reader, permissions[name])
  return say(reader, valueTerm(name))
}

/** Ids of a record's fields are called by what they name: `goal_id` → `Goal`; of another product's stay ids: `umami_id`. @param reader in whose language; English without */
export function fieldWords(name: string, reader?: Reader): string {
  if (reader && Object.hasOwn(filterFields, name)) return say(reader, filterFields[name as keyof typeof filterFields])
  const text = wordsOfField(name)
  return reader ? inShort(name, text, reader) : text
}

/** One of what a field has several of: `steps` → `Step`. */
export const itemWords = (name: string, reader?: Reader): string => fieldWords(singular(name), reader)

/** A value says its unit itself: `cost_cents` → `Cost`, `window_minutes` → `Window`. */
export function headingWords(name: string, unit: string | undefined, reader: Reader): string {
  const text = words(name)
  const translated = textOf(reader, `field.${name}`) ?? declaredText(reader, text)
  return unit !== undefined && translated === text ? fieldWords(name.replace(unitEnding, ''), reader) : fieldWords(name, reader)
}
const unitEnding = /_(cents|ms|seconds|minutes|hours|days|bytes|percent)$/

/** `Created at` → `Created`: a date says when. Other languages have words of their own for it. */
function inShort(name: string, text: string, reader: Reader): string {
  const translated = textOf(reader, `field.${name}`) ?? declaredText(reader, text)
  return translated === text ? text.replace(/(?<=\w) at$/, '') : translated
}

/** `/a/{b}` with these values. */
export function filled(path: string, values: Readonly<Record<string, string>>): string {
  let text = ''
  for (const [i, part] of partsOf(path).entries()) text += i % 2 === 0 ? part : encodeURIComponent(values[part] ?? '')
  return text
}
/** Texts and names of parameters in turn. */
const partsOf = memoized((path: string): readonly string[] => path.split(/\{(\w+)\}/))

/** The same address with other parameters; undefined takes one away. */
export function withQuery(url: URL, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(url.searchParams)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return url.pathname + (text === '' ? '' : `?${text}`)
}

/** Descriptions mark names as Markdown does, and show programs how it is written: `…: {"field": "page"}`. */
export const plainText = (description: string): string => description.replaceAll('`', '').replace(/[:,]?\s*\{"[^{}]*\}/g, '')

/**
 * Descriptions say `Whether the script sends downloads.`; next to a box that one checks, people read `The script sends downloads.`
 * German has another order of words in it, so its translations are statements already.
 */
export const statementOf = (description: string): string =>
  description.replace(/^(?:Whether (?:to )?|Si |S’(?=il ))(\p{L})/u, (_, first: string) => first.toUpperCase())
