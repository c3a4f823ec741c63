/** The texts of the sites of a group, as of one transaction, under ids that all of its sites share. */
import { dictionaryOf, mayMove, propertyDictionary } from '../../../hits/dictionaries.ts'
import { stateOf } from '../../../snapshots/snapshots.ts'
import type { Db } from '../../../store.ts'
import type { Member } from '../../vocabulary/scope.ts'
import type { Dictionaries, Dictionary } from '../dictionary.ts'
import { type EventNames, eventNames, type EventSetting, settingsOfEvents } from '../event-names.ts'
import { type Texts, textsOf } from '../texts.ts'
import { type GroupDay, groupDays } from './group-days.ts'
import { type SiteDay, siteDays } from '../site-days.ts'
import { Union } from './union.ts'

type Name = keyof typeof dictionaryOf

interface Listing {
  readonly members: readonly Member[]
  readonly isClockTime: boolean
  readonly from: number
  readonly to: number
}
interface Listed extends Omit<Listing, 'members'> {
  readonly of: object | undefined
  readonly version: unknown
  readonly days: readonly GroupDay[]
  readonly parts: number
}

/** Bytes of a day of a site in the list, approximately. */
const PART = 150
/** Days of sites in a list that is kept. */
const MAX_PARTS = 60_000

/** Kept between the queries of a group. */
export class GroupMemory {
  readonly unions = new Map<number, Union>()
  /** Represents the group in the cache of days. */
  key: number
  readonly #nextKey: () => number
  #listed: Listed | undefined

  constructor(nextKey: () => number) {
    this.#nextKey = nextKey
    this.key = nextKey()
  }

  /** Forgets the days of the group, as an id of theirs has another text. */
  readonly forget = (): void => {
    this.key = this.#nextKey()
  }

  union(dictionary: number): Union {
    let known = this.unions.get(dictionary)
    if (!known) this.unions.set(dictionary, (known = new Union(mayMove(dictionary))))
    return known
  }

  /** The days of the group, which are listed again only if something was committed. */
  async days(db: Db, of: Listing): Promise<readonly GroupDay[]> {
    const state = stateOf(db)
    const version = state && !state.asked ? state.version : undefined
    const known = this.#listed
    const isKnown = known && version !== undefined && known.of === state?.of && known.version === version
    if (isKnown && known.from === of.from && known.to === of.to && known.isClockTime === of.isClockTime) return known.days
    const lists: (readonly SiteDay[])[] = []
    for (const { site } of of.members) lists.push(await siteDays(db, site, of.from, of.to))
    const days = groupDays(of.members, lists, of.isClockTime)
    const parts = days.reduce((sum, day) => sum + day.parts.length, 0)
    const { from, to, isClockTime } = of
    this.#listed = version === undefined || parts > MAX_PARTS ? undefined : { of: state?.of, version, from, to, isClockTime, days, parts }
    return days
  }

  get bytes(): number {
    let bytes = (this.#listed?.parts ?? 0) * PART
    for (const union of this.unions.values()) bytes += union.bytes
    return bytes
  }
}

export interface GroupTexts extends Texts {
  /** The ids of the group for the ids of one of its sites. */
  idsOf(name: Name, member: number): Promise<Uint32Array>
  /** The same for values of a property. @param key of the site */
  valuesOf(key: number, member: number): Promise<Uint32Array>
  /** The id of a site for an id of the group; 0 if it has none. */
  ownId(name: Name, member: number, id: number): Promise<number>
}

interface GroupTextsOf {
  readonly members: readonly Member[]
  readonly memory: GroupMemory
  readonly dictionaries: Dictionaries
}

export function groupTexts(db: Db, { members, memory, dictionaries }: GroupTextsOf): GroupTexts {
  const each = members.map(({ site }) => textsOf(db, site, dictionaries))
  const known = new Map<number, Promise<readonly Uint32Array[]>>()
  const textsOfMember = (member: number): Texts => {
    const texts = each[member]
    if (!texts) throw new Error(`a group has no site ${member}`)
    return texts
  }

  /** For each site, the ids of the group. All texts of the dictionary are in the union afterwards. */
  function mapped(dictionary: number, read: (texts: Texts, member: number) => Promise<Dictionary>): Promise<readonly Uint32Array[]> {
    const before = known.get(dictionary)
    if (before) return before
    async function map(): Promise<readonly Uint32Array[]> {
      const union = memory.union(dictionary)
      const maps: Uint32Array[] = []
      for (const [i, { site }] of members.entries()) {
        maps.push(union.idsOf(site, await read(textsOfMember(i), i), memory.forget))
      }
      return maps
    }
    const mapping = map()
    known.set(dictionary, mapping)
    return mapping
  }

  const ofName = (name: Name) => mapped(dictionaryOf[name], texts => texts.of(name))
  async function of(name: Name): Promise<Dictionary> {
    await ofName(name)
    return memory.union(dictionaryOf[name]).texts
  }

  /** @param key of the group */
  const ofKey = (key: number) =>
    mapped(propertyDictionary(key), async (texts, member) => {
      const own = await ownId('prop_key', member, key)
      return own === 0 ? [''] : texts.ofProperty(own)
    })

  async function ownId(name: Name, member: number, id: number): Promise<number> {
    const ids = (await ofName(name))[member]
    return id === 0 ? 0 : Math.max(0, ids?.indexOf(id) ?? 0)
  }

  async function namesOfEvents(): Promise<EventNames> {
    const sent = await of('event')
    const settings: EventSetting[][] = []
    for (const { site } of members) settings.push([...(await settingsOfEvents(db, site))])
    const seen: ReadonlySet<string>[] = []
    for (const texts of each) seen.push(new Set(await texts.of('event')))
    return eventNames(sent, settingsTogether(settings, seen))
  }

  async function goneEvents(): Promise<Uint8Array | null> {
    const sent = await of('event')
    const { blank } = memory.union(dictionaryOf.event)
    for (const texts of each) {
      if ((await texts.gone()) !== null) return Uint8Array.from(sent, (_, id) => (id > 0 && id === blank ? 1 : 0))
    }
    return null
  }

  let events: Promise<EventNames> | undefined
  let gone: Promise<Uint8Array | null> | undefined
  return {
    of,
    async ofProperty(key) {
      await ofKey(key)
      return memory.union(propertyDictionary(key)).texts
    },
    events: () => (events ??= namesOfEvents()),
    gone: () => (gone ??= goneEvents()),
    sites: async () => ['', ...members.map(({ id }) => id)],
    idsOf: async (name, member) => (await ofName(name))[member] ?? none,
    async valuesOf(key, member) {
      const ids = await ofName('prop_key')
      return (await ofKey(ids[member]?.[key] ?? 0))[member] ?? none
    },
    ownId,
  }
}

const none = new Uint32Array(0)

/**
 * How a group shows events: by the name that the first of its sites gives them. One is hidden if every site that has it hides it.
 * @param seen the events of each site
 */
function settingsTogether(all: readonly (readonly EventSetting[])[], seen: readonly ReadonlySet<string>[]): EventSetting[] {
  const together = new Map<string, EventSetting>()
  for (const settings of all) {
    for (const { name, display_name } of settings) {
      const before = together.get(name)
      together.set(name, { name, display_name: before?.display_name ?? display_name, hidden: 0 })
    }
  }
  const isHidden = (name: string, site: number) => all[site]?.some(one => one.name === name && one.hidden === 1) === true
  return [...together.values()].map(setting => {
    const having = [...seen.keys()].filter(site => seen[site]?.has(setting.name))
    return { ...setting, hidden: having.length > 0 && having.every(site => isHidden(setting.name, site)) ? 1 : 0 }
  })
}
