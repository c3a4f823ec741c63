/** Writes one batch of hits inside a transaction: its visitors, their visits, and the rows of both. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store, Trx } from '../store.ts'
import type { CardinalityLimits } from './cardinality.ts'
import { type OpenDay, openDays } from './days.ts'
import { dictionaryIds } from './dictionary-ids.ts'
import { knownVisitors } from './known-visitors.ts'
import { hitWriter } from './hit-rows.ts'
import type { NewHit, Outcome, Refusal } from './new-hit.ts'
import { continueVisits } from './midnight-visits.ts'
import { admit, rowsOf, VISIT_GAP_MS } from './sessions.ts'
import { storableHit, storableText } from './value-limits.ts'
import { together } from '../sql/row-statements.ts'
import { visitIdentifier } from './persons.ts'
import { visitIdOf, visitWriter } from './visit-rows.ts'
import type { BatchMark } from '../values/storage-unavailable.ts'
import { isTurnOver, yieldWhereDue } from '../system/event-loop.ts'
import type { VisitorArrival } from './visitor.ts'
import { type Identity, identify, visitorsOf } from './visitors.ts'

/** How far a sender's clock may be ahead, ms. */
export const AHEAD_MS = 5 * 60_000

interface Sender {
  readonly identity: Identity
  /** The identity on the day before; null if the hit cannot continue a visit of that day. */
  readonly before: Identity | null
}

export interface Batch {
  /** One for each hit, in order. */
  readonly outcomes: readonly Outcome[]
  /** Call after the commit: keeps what was looked up for later batches. */
  committed(): void
}

/** Writes hits inside the caller's transaction. @param mark as in `Dialect.lockSites` */
export type WriteBatch = (trx: Trx, hits: readonly NewHit[], now: number, mark?: BatchMark) => Promise<Batch>

export function batchWriter(
  store: Store,
  randomBytes: (n: number) => Buffer,
  limits: CardinalityLimits,
  { anyDay = false } = {},
): WriteBatch {
  /** `forgotten`: of each site that was locked, how often texts of it were forgotten. */
  const openCaches = () => ({
    daysIn: openDays(randomBytes, { anyDay }),
    idsIn: dictionaryIds(store, limits),
    visitors: anyDay ? knownVisitors() : undefined,
    forgotten: new Map<number, number>(),
  })
  let caches = { ...openCaches(), epoch: '' }
  const people = visitorsOf(store)
  const identifyVisits = visitIdentifier(store, randomBytes)
  const rowsOfVisits = visitWriter(store)
  const rowsOfHits = hitWriter(store)

  return async (trx, hits, now, mark) => {
    const sites = new Set(hits.map(hit => hit.site))
    const locked = await store.dialect.lockSites(trx, [...sites], mark)
    const forgotten = [...sites].map(site => [site, locked.forgotten.get(site) ?? 0] as const)
    const isStale = forgotten.some(([site, count]) => (caches.forgotten.get(site) ?? count) !== count)
    if (isStale || locked.epoch !== caches.epoch) caches = { ...openCaches(), epoch: locked.epoch }
    for (const [site, count] of forgotten) caches.forgotten.set(site, count)
    const deleted = new Set(locked.deleted)
    const days = caches.daysIn(trx, now)
    const ids = caches.idsIn(trx)

    function refusalOf(hit: NewHit): Refusal | null {
      if (deleted.has(hit.site)) return 'unknown_site'
      if (!Number.isSafeInteger(hit.at)) return 'invalid'
      if (hit.kind === 'event' && storableText(hit.event) === '') return 'invalid'
      return hit.at > now + AHEAD_MS ? 'in_future' : null
    }

    let last: { readonly hit: NewHit; readonly day: OpenDay; readonly identity: Identity } | undefined
    /** In a file, the hits of a visitor often follow one another. */
    function identityOf(hit: NewHit, day: OpenDay): Identity {
      const { ip, userAgent } = hit.identity
      const isSame = last?.day === day && last.hit.identity.ip === ip && last.hit.identity.userAgent === userAgent
      if (!last || !isSame) last = { hit, day, identity: identify(hit, day) }
      return last.identity
    }

    // Awaits only what is a promise, as an await takes longer than the other work.
    const senders: (Sender | Refusal)[] = []
    for (const hit of hits) {
      if (isTurnOver()) await nextTurn()
      const refusal = refusalOf(hit)
      const day = refusal ? null : (days.known(hit) ?? (await days.of(hit)))
      if (day) {
        const dayBefore = mayContinue(hit, day) ? await days.before(day) : null
        senders.push({ identity: identityOf(hit, day), before: dayBefore && identify(hit, dayBefore) })
      } else senders.push(refusal ?? 'too_old')
    }
    const known = senders.filter(sender => typeof sender !== 'string')
    const identities = known.flatMap(({ identity, before }) => (before ? [identity, before] : [identity]))
    const loaded = await people.load(trx, { ids, identities, known: caches.visitors })
    const entries = hits.map((hit, i): VisitorArrival | Refusal => {
      const sender = senders[i] ?? 'invalid'
      if (typeof sender === 'string') return sender
      const visitor = loaded.of(sender.identity)
      return visitor ? { hit: storableHit(hit), visitor, visit: null, seq: 0 } : 'too_old'
    })

    await yieldWhereDue()
    const arrivals = entries.filter(entry => typeof entry !== 'string')
    for (const arrival of arrivals.toSorted((a, b) => a.hit.at - b.hit.at)) admit(arrival.visitor.visits, arrival)
    for (const { identity, before } of known) {
      const visitor = before && loaded.of(identity)
      const earlier = before && loaded.of(before)
      if (visitor && earlier) continueVisits(visitor, earlier)
    }
    const stored = arrivals.filter(isStored)
    const visitors = [...new Set(stored.map(arrival => arrival.visitor))]
    const newcomers = visitors.filter(visitor => visitor.number === 0 && visitor.visits.length > 0)
    for (const visitor of newcomers) visitor.number = visitor.counters.nextVisitor++
    for (const arrival of stored) if (!arrival.visit) numberLoose(arrival)

    const putPersons = await identifyVisits(trx, stored)

    await yieldWhereDue()
    const ofHits = await rowsOfHits(stored, ids)
    await yieldWhereDue()
    const ofVisits = rowsOfVisits(visitors)
    const changedDays = new Set(visitors.map(visitor => visitor.counters))
    const counted = people.count([...changedDays])
    await ids.settle()
    await putPersons(trx)
    for (const join of ofVisits.joins) await join(trx)
    await together(store, [people.insert(newcomers), ...ofVisits.changes, ...ofHits.rows, counted])(trx)
    await ofHits.engagements(trx)

    return {
      outcomes: entries.map(entry => (typeof entry === 'string' ? { stored: false, reason: entry } : outcomeOf(entry))),
      committed() {
        days.remember()
        ids.remember()
        loaded.remember(changedDays)
      },
    }
  }
}

/** Whether a hit may continue a visit of the day before. */
const mayContinue = ({ kind, at }: NewHit, { startsAt }: OpenDay): boolean =>
  (kind === 'pageview' || kind === 'event') && at - startsAt < VISIT_GAP_MS

/** Vitals and clicks are stored without a visit, too. */
const isStored = ({ hit, visit }: VisitorArrival): boolean => visit !== null || hit.kind === 'vitals' || hit.kind === 'clicks'

function numberLoose(arrival: VisitorArrival): void {
  const { counters: tally } = arrival.visitor
  arrival.seq = tally.nextLoose
  tally.nextLoose += rowsOf(arrival.hit)
}

function outcomeOf(arrival: VisitorArrival): Outcome {
  const { visit, visitor } = arrival
  if (!isStored(arrival)) return { stored: false, reason: 'no_visit' }
  return { stored: true, visit: visit && { day: visitor.counters.day, id: visitIdOf(visitor, visit) } }
}
