/** The dictionaries of one site, as of one transaction. */
import { prepared } from '../../sql/prepared.ts'
import type { Db } from '../../store.ts'
import { dictionaryOf, propertyDictionary } from '../../hits/dictionaries.ts'
import type { Dictionaries, Dictionary } from './dictionary.ts'
import { type EventNames, eventNames, eventsBeingDeleted, settingsOfEvents } from './event-names.ts'

export interface Texts {
  of(name: keyof typeof dictionaryOf): Promise<Dictionary>
  /** The values of a property, by the id of its key. */
  ofProperty(key: number): Promise<Dictionary>
  /** How events are shown. Their sent names are `of('event')`. */
  events(): Promise<EventNames>
  /** 1 at the ids of events whose hits are being deleted; null if there are none. */
  gone(): Promise<Uint8Array | null>
  /** The ids of the sites, by their place from 1 on. */
  sites(): Promise<Dictionary>
}

const idsOfSites = prepared('texts.site', (db, site: number) => db.selectFrom('sites').select('id').where('number', '=', site))

export function textsOf(db: Db, site: number, dictionaries: Dictionaries): Texts {
  /** Each is read once: a transaction sees the same texts throughout. */
  const known = new Map<number, Promise<Dictionary>>()
  function read(dictionary: number): Promise<Dictionary> {
    const reading = known.get(dictionary) ?? dictionaries.read(db, site, dictionary)
    known.set(dictionary, reading)
    return reading
  }
  const of: Texts['of'] = name => read(dictionaryOf[name])
  let events: Promise<EventNames> | undefined
  let gone: Promise<Uint8Array | null> | undefined
  async function findGone(): Promise<Uint8Array | null> {
    const sent = await of('event')
    if (!sent.includes('', 1)) return null // only a deleted event has no name
    const ids = new Set((await eventsBeingDeleted(db, site)).map(({ event }) => event))
    return ids.size === 0 ? null : Uint8Array.from(sent, (_, id) => (ids.has(id) ? 1 : 0))
  }
  return {
    of,
    ofProperty: key => read(propertyDictionary(key)),
    events: () => (events ??= of('event').then(async sent => eventNames(sent, await settingsOfEvents(db, site)))),
    gone: () => (gone ??= findGone()),
    sites: async () => ['', ...(await idsOfSites(db, site)).map(({ id }) => id)],
  }
}
