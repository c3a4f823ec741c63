/** The dictionaries of one site, as they stand in one transaction. */
import type { Db } from '../../../storage/store.ts'
import { dictionaryOf, propertyDictionary } from '../../../storage/hits/dictionaries.ts'
import type { Dictionaries, Dictionary } from './dictionary.ts'

export interface Texts {
  of(name: keyof typeof dictionaryOf): Promise<Dictionary>
  /** The values of a property, by the id of its key. */
  ofProperty(key: number): Promise<Dictionary>
}

export function textsOf(db: Db, site: number, dictionaries: Dictionaries): Texts {
  return {
    of: name => dictionaries.read(db, site, dictionaryOf[name]),
    ofProperty: key => dictionaries.read(db, site, propertyDictionary(key)),
  }
}
