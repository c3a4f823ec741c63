/** The dictionaries of one site, as of one transaction. */
import type { Db } from '../../store.ts'
import { dictionaryOf, propertyDictionary } from '../../hits/dictionaries.ts'
import type { Dictionaries, Dictionary } from './dictionary.ts'
import { type EventNames, eventNames, settingsOfEvents } from './event-names.ts'

export interface Texts {
  of(name: keyof typeof dictionaryOf): Promise<Dictionary>
  /** The values of a property, by the id of its key. */
  ofProperty(key: number): Promise<Dictionary>
  /** How events are shown. Their sent names are `of('event')`. */
  events(): Promise<EventNames>
}

export function textsOf(db: Db, site: number, dictionaries: Dictionaries): Texts {
  const of: Texts['of'] = name => dictionaries.read(db, site, dictionaryOf[name])
  let events: Promise<EventNames> | undefined
  return {
    of,
    ofProperty: key => dictionaries.read(db, site, propertyDictionary(key)),
    events: () => (events ??= of('event').then(async sent => eventNames(sent, await settingsOfEvents(db, site)))),
  }
}
