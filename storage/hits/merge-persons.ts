/**
 * Moves persons of one site into another. A person whose id the first site keeps is hashed with the key of the other, so that a person
 * of both is one. Without the id, a person stays under the hash of the first site, which no hit of the other has.
 */
import type { Store, Trx } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import type { PersonRow } from '../tables/index.ts'
import { scrubbing } from './scrubbing.ts'

interface Sites {
  /** `sites.number` of both. */
  readonly from: number
  readonly into: number
}
/** Hashes an id with the key of the other site; null if it has none. */
export type Rehash = (id: string) => string | null

type Traits = Readonly<Record<string, readonly [value: unknown, at: number]>>
type Kept = ReadonlyMap<string, string>

/** Ends the id of a person who is in the other site by now, which has the id. */
const MOVED = '~'

/**
 * Call it with both sites locked. It can be called again for the same persons.
 * @returns by the number of a person the number in the other site; none for a site that identifies no people
 */
export async function carryPersons(
  trx: Trx,
  { from, into }: Sites,
  { persons, rehash }: { persons: readonly number[]; rehash: Rehash },
): Promise<Map<number, number>> {
  const carried = new Map<number, number>()
  if (persons.length === 0) return carried
  const settings = trx.selectFrom('sites').select(['identity', 'identity_names', 'identity_traits']).where('number', '=', into)
  const { identity, identity_names, identity_traits } = await settings.executeTakeFirstOrThrow()
  if (identity !== 'declared') return carried
  const declared = JSON.parse(identity_traits) as { readonly name: string; readonly type: string }[] // written by sites_update
  const kept: Kept = new Map(declared.map(({ name, type }) => [name, type]))
  const of = (site: number) => trx.selectFrom('persons').selectAll().where('site_id', '=', site)
  const rows = await of(from)
    .where('person', 'in', [...persons])
    .orderBy('person')
    .execute()
  const hashOf = ({ name, hash }: PersonRow) => (name === null ? null : rehash(name)) ?? hash
  const hashes = rows.map(hashOf)
  const moved = rows.flatMap(({ moved_to }) => (moved_to === 0 ? [] : [moved_to]))
  const known = rows.length === 0 ? [] : await of(into).where('hash', 'in', hashes).execute()
  if (moved.length > 0) known.push(...(await of(into).where('person', 'in', moved).execute()))
  const [byHash, byNumber] = [new Map(known.map(row => [row.hash, row])), new Map(known.map(row => [row.person, row]))]
  let next = await nextNumber(trx, into)
  for (const row of rows) {
    await yieldWhereDue()
    const hash = hashOf(row)
    const before = row.moved_to === 0 ? byHash.get(hash) : byNumber.get(row.moved_to)
    if (row.moved_to !== 0 && !before) continue
    const name = identity_names === 1 ? (before?.name ?? row.name) : (before?.name ?? null)
    const traits = JSON.stringify(keptTraits(kept, before?.traits ?? '{}', row.traits))
    const first_at = Math.min(before?.first_at ?? Infinity, row.first_at)
    const last_at = Math.max(before?.last_at ?? 0, row.last_at)
    const person = before?.person ?? next++
    const after = { site_id: into, person, id: before?.id ?? row.id, hash: before?.hash ?? hash, moved_to: 0 }
    const merged: PersonRow = { ...after, name, traits, first_at, last_at }
    if (row.moved_to === 0) {
      const id = before ? row.id : row.id + MOVED
      await trx.updateTable('persons').set({ id, moved_to: person }).where('site_id', '=', from).where('person', '=', row.person).execute()
    }
    if (!before) await trx.insertInto('persons').values(merged).execute()
    else if (JSON.stringify(before) !== JSON.stringify({ ...before, ...merged }))
      await trx
        .updateTable('persons')
        .set({ name, traits, first_at, last_at })
        .where('site_id', '=', into)
        .where('person', '=', person)
        .execute()
    byHash.set(merged.hash, merged)
    byNumber.set(person, merged)
    carried.set(row.person, person)
  }
  return carried
}

/**
 * Moves some of the persons who are left, after all visits. Persons stay if the other site identifies no people.
 * @returns whether none are left to move
 */
export async function carryRest(
  store: Store,
  trx: Trx,
  { from, into, limit, rehash }: Sites & { limit: number; rehash: Rehash },
): Promise<boolean> {
  await store.dialect.lockSites(trx, [from, into])
  const of = () => trx.selectFrom('persons').select('person').where('site_id', '=', from)
  const rows = await of().orderBy('person').limit(limit).execute()
  const persons = rows.map(({ person }) => person)
  const carried = await carryPersons(trx, { from, into }, { persons, rehash })
  const moved = carried.size > 0 ? [] : await of().where('moved_to', '<>', 0).limit(limit).execute()
  const gone = [...carried.keys(), ...moved.map(({ person }) => person)]
  if (gone.length === 0) return true
  await scrubbing(store, trx, () => trx.deleteFrom('persons').where('site_id', '=', from).where('person', 'in', gone).execute())
  return false
}

async function nextNumber(trx: Trx, site: number): Promise<number> {
  const last = trx.selectFrom('persons').where('site_id', '=', site)
  const { person } = await last.select(({ fn }) => fn.max('person').as('person')).executeTakeFirstOrThrow()
  const going = trx.selectFrom('person_deletions').where('site_id', '=', site).where('finished_at', 'is', null)
  const { deleted } = await going.select(({ fn }) => fn.max('person').as('deleted')).executeTakeFirstOrThrow()
  return Math.max(person ?? 0, deleted ?? 0) + 1
}

/** Merges the traits of a person on two sites: for each trait that the other site keeps, the value that was sent last. */
function keptTraits(kept: Kept, ours: string, theirs: string): Traits {
  const [own, others] = [JSON.parse(ours) as Traits, JSON.parse(theirs) as Traits] // written by persons.ts
  const type = (value: unknown) => (typeof value === 'string' ? 'text' : typeof value)
  const news = Object.entries(others).filter(
    ([name, [value, at]]) => kept.get(name) === type(value) && at > (Object.hasOwn(own, name) ? own[name]![1] : -1),
  )
  return news.length === 0 ? own : { ...own, ...Object.fromEntries(news) }
}
