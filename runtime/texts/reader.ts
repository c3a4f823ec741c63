/** The language of the person who reads a text. */

/** The languages with translations. Numbers and dates are formatted in every locale of an account. */
export const languages = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof languages)[number]

/** The locale of the person who reads: of a viewer, a form, a frame. */
export interface Reader {
  readonly locale: string
  /** Of times in sentences; UTC if there is none. */
  readonly timezone?: string
  /** Names of the records that conditions name by their ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
}

/** The language that texts have for this locale, as for the attribute `lang`. */
export const wordsOf = (locale: string): Language => languages.find(each => each === locale) ?? 'en'

/**
 * The reader of a page without an account: the first language of the browser that has translations.
 *
 * @param header the value of `Accept-Language`
 */
export function readerBy(header: string | undefined): { readonly locale: Language } {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map(part => part.trim().slice(0, 2).toLowerCase())
  return { locale: wanted.map(tag => languages.find(each => each === tag)).find(each => each !== undefined) ?? 'en' }
}
