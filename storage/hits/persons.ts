/** Finds and writes the persons of a batch's hits. Call with the sites locked, so that numbers are dense. */
import type { Store, Trx } from '../store.ts'
import { bigint, insertInto, int, matching, statement, text } from '../sql/row-statements.ts'
import { PERSONS } from './dictionaries.ts'
import type { PersonOfHit, Trait } from './new-hit.ts'
import { newTextCounter } from './new-texts.ts'
import { sortableId } from '../values/sortable-id.ts'
import type { VisitorArrival } from './visitor.ts'

/** Most new persons of a site and day. The visits of further ones are not identified. */
const NEW_A_DAY = 100_000
const ID_BYTES = 14
/** Beginning of the ids of persons. */
export const PREFIX = 'pn_'

/** By name its value, and when the hit with it was sent. */
type StoredTraits = Readonly<Record<string, readonly [value: Trait, at: number]>>

interface PersonOfDay {
  readonly site: number
  readonly day: number
  readonly hash: string
}
interface Found extends Omit<PersonOfDay, 'site'> {
  readonly site_id: number
  readonly person: number | null
  readonly id: string | null
  readonly name: string | null
  readonly traits: string | null
  readonly first_at: number | null
  readonly last_at: number | null
  /** Highest number of the site. */
  readonly last: number
  /** Highest number of those who are being deleted. */
  readonly going: number
  /** New persons of the day. */
  readonly added: number
  /** The fields that the site keeps now, which may be less than when the hits arrived. */
  readonly keeps_names: number | null
  readonly kept_traits: string | null
}
interface Person extends PersonOfDay {
  person: number
  id: string
  name: string | null
  traits: StoredTraits
  firstAt: number
  lastAt: number
  readonly keepsName: boolean
  readonly keptTraits: ReadonlySet<string>
  isNew: boolean
  isChanged: boolean
}

/** Gives the visits of a batch the numbers of their persons, and returns a function that writes the persons. */
export type IdentifyVisits = (trx: Trx, arrivals: readonly VisitorArrival[]) => Promise<(trx: Trx) => Promise<void>>

const nothing = () => Promise.resolve()

export function visitIdentifier(store: Store, randomBytes: (n: number) => Buffer): IdentifyVisits {
  const find = statement<PersonOfDay, Found>(store, {
    name: 'persons.find',
    columns: { site_id: int(({ site }) => site), day: int(({ day }) => day), hash: text(({ hash }) => hash), moved_to: int(() => 0) },
    body: `select given.*, persons.person, persons.id, persons.name, persons.traits, persons.first_at, persons.last_at,
       coalesce((select max(person) from persons as p where p.site_id = given.site_id), 0) as last,
       coalesce((select max(person) from person_deletions as d where d.site_id = given.site_id and d.finished_at is null), 0) as going,
       coalesce((select count from new_texts as n where ${matching(['site_id', 'day'], 'n', 'given')} and n.dim = ${PERSONS}), 0) as added,
       sites.identity_names as keeps_names, sites.identity_traits as kept_traits
     from given left join sites on sites.number = given.site_id
       left join persons on ${matching(['site_id', 'hash'], 'persons', 'given')}`,
  })
  const columns = {
    site_id: int<Person>(({ site }) => site),
    person: int<Person>(({ person }) => person),
    name: text<Person>(({ name }) => name),
    traits: text<Person>(({ traits }) => JSON.stringify(traits)),
    first_at: bigint<Person>(({ firstAt }) => firstAt),
    last_at: bigint<Person>(({ lastAt }) => lastAt),
  }
  const insert = insertInto<Person, 'persons'>(store, {
    name: 'persons.insert',
    table: 'persons',
    columns: { ...columns, id: text(({ id }) => id), hash: text(({ hash }) => hash), moved_to: int(() => 0) },
  })
  const update = statement<Person>(store, {
    name: 'persons.update',
    columns,
    body: `update persons set name = given.name, traits = given.traits, first_at = given.first_at, last_at = given.last_at
     from given where ${matching(['site_id', 'person'], 'persons', 'given')}`,
  })
  const count = newTextCounter(store)

  async function known(trx: Trx, identified: readonly VisitorArrival[]): Promise<Map<string, Person>> {
    const sent = new Map<string, PersonOfDay>()
    for (const { hit, visitor } of identified) {
      if (!hit.user) continue
      const key = keyOf(visitor.counters.site, hit.user.hash)
      if (!sent.has(key)) sent.set(key, { site: visitor.counters.site, day: visitor.counters.day, hash: hit.user.hash })
    }
    const persons = new Map<string, Person>()
    const [last, added] = [new Map<number, number>(), new Map<string, number>()]
    const kept = new Map<number, ReadonlySet<string>>()
    for (const row of await find([...sent.values()])(trx)) {
      const { site_id: site, day, hash } = row
      const isNew = row.person === null
      const ofDay = `${site} ${day}`
      const before = added.get(ofDay) ?? row.added
      if (isNew && before >= NEW_A_DAY) continue
      const person = row.person ?? (last.get(site) ?? Math.max(row.last, row.going)) + 1
      if (isNew) {
        last.set(site, person)
        added.set(ofDay, before + 1)
      }
      const keptTraits = kept.get(site) ?? namesIn(row.kept_traits)
      kept.set(site, keptTraits)
      persons.set(keyOf(site, hash), {
        site,
        day,
        hash,
        person,
        id: row.id ?? '',
        name: row.name,
        traits: row.traits === null ? {} : (JSON.parse(row.traits) as StoredTraits), // written below
        firstAt: row.first_at ?? Infinity,
        lastAt: row.last_at ?? 0,
        keepsName: row.keeps_names === 1,
        keptTraits,
        isNew,
        isChanged: false,
      })
    }
    return persons
  }

  return async (trx, arrivals) => {
    const identified = arrivals.filter(({ hit, visit }) => hit.user && visit)
    if (identified.length === 0) return nothing
    const persons = await known(trx, identified)
    const personOf = ({ visitor }: VisitorArrival, hash: string) => persons.get(keyOf(visitor.counters.site, hash))
    for (const arrival of identified) {
      const { visit } = arrival
      if (!visit || typeof visit.person?.of !== 'string') continue
      const first = personOf(arrival, visit.person.of)
      visit.person = first ? { at: visit.person.at, of: first.person } : null
    }
    // A visit belongs to one person: the first who was identified in it. Others have no part in it.
    for (const arrival of identified) {
      const { user, at } = arrival.hit
      const person = user && personOf(arrival, user.hash)
      if (person && arrival.visit?.person?.of === person.person) add(person, user, at)
    }
    const changed = [...persons.values()].filter(({ isChanged }) => isChanged)
    // Numbers of persons without a visit leave gaps in the numbers of the batch.
    const news = changed.filter(({ isNew }) => isNew)
    for (const person of news) person.id = PREFIX + sortableId(person.firstAt, randomBytes(ID_BYTES))
    return async trx => {
      await insert(news)(trx)
      await update(changed.filter(({ isNew }) => !isNew))(trx)
      await count(
        trx,
        news.map(({ site, day }) => ({ site, day, dictionary: PERSONS })),
      )
    }
  }
}

function add(person: Person, { name, traits }: PersonOfHit, at: number): void {
  const sent = Object.entries(traits).filter(([trait]) => person.keptTraits.has(trait) && at >= (person.traits[trait]?.[1] ?? 0))
  if (sent.length > 0) person.traits = { ...person.traits, ...Object.fromEntries(sent.map(([trait, value]) => [trait, [value, at]])) }
  if (name !== null && person.keepsName) person.name = name
  person.firstAt = Math.min(person.firstAt, at)
  person.lastAt = Math.max(person.lastAt, at)
  person.isChanged = true
}

/** Names of the traits that a site keeps. */
const namesIn = (kept: string | null): ReadonlySet<string> =>
  new Set(kept === null ? [] : (JSON.parse(kept) as { readonly name: string }[]).map(({ name }) => name)) // written by sites_update

const keyOf = (site: number, hash: string): string => `${site} ${hash}`
