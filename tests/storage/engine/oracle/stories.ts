/**
 * Random steps of a site's story: hits in time or late, days sealed and resealed, events renamed, merged, hidden and
 * deleted, visits that expire, visitors that are forgotten, a move to another zone. Each step runs the product's code,
 * and the oracle follows.
 */
import assert from 'node:assert/strict'
import fc from '../../../support/properties.ts'
import { FORMAT } from '../../../../storage/engine/days/sealed-columns.ts'
import type { Engine } from '../../../../storage/engine/index.ts'
import { newCopy } from '../../../../storage/cluster/cluster.ts'
import { dropCopies, noteCopy } from '../../../../storage/moved-days/copies.ts'
import { haveRows as haveRowsOf, moveOut } from '../../../../storage/moved-days/moving.ts'
import { openLocal } from '../../../../storage/engine/local.ts'
import { RETENTION_DAYS } from '../../../../operations/sites/collection/settings.ts'
import { hits_expire } from '../../../../operations/sites/collection/tasks.ts'
import type { Setting } from '../../../../runtime/settings/setting.ts'
import { eraseEvents, requestDeletion } from '../../../../operations/reports/events/deletion.ts'
import { setEvent } from '../../../../operations/reports/events/settings.ts'
import type { LiveSite } from '../../../../operations/sites/sites/records.ts'
import type { TaskContext } from '../../../../runtime/table/task.ts'
import { openBulk } from '../../../../storage/hits/bulk-hits.ts'
import { eraseVisits } from '../../../../operations/exchange/erasures/erase.ts'
import type { AppliedRule, ErasureScope } from '../../../../operations/exchange/erasures/records.ts'
import { parseFilters } from '../../../../operations/sites/segments/index.ts'
import { pastOf, wildcard } from '../../../../operations/sites/traffic-rules/index.ts'
import { eventEraser } from '../../../../storage/hits/erase-event.ts'
import { forgetTexts } from '../../../../storage/hits/forget-texts.ts'
import { openHitStore } from '../../../../storage/hits/hit-store.ts'
import { siteMerger } from '../../../../storage/hits/merge-site.ts'
import type { NewHit } from '../../../../storage/hits/new-hit.ts'
import { recutSite } from '../../../../storage/hits/recut-site.ts'
import { forgetVisitors, purgeSite } from '../../../../storage/hits/retention.ts'
import { writeSealed } from '../../../../storage/engine/days/segments.ts'
import type { Store } from '../../../../storage/store.ts'
import { dateAt } from './oracle/calendar.ts'
import { Oracle, type OracleFilter } from './oracle.ts'
import { type Drawn, events, goals, hitsOf, sent } from './random-hits.ts'
import { addGoal, addSite } from '../traffic.ts'
import { randomBytes } from '../../../support/chance.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Places around a clock change, or without one. */
const places: readonly (readonly [zone: string, around: string])[] = [
  ['UTC', '2026-02-27T12:00Z'],
  ['Europe/Berlin', '2026-03-29T12:00Z'],
  ['America/New_York', '2026-03-08T12:00Z'],
  ['America/New_York', '2026-11-01T12:00Z'],
  ['Asia/Kathmandu', '2026-05-05T12:00Z'],
  ['Australia/Lord_Howe', '2026-04-05T03:00Z'],
  ['Pacific/Chatham', '2026-09-27T03:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
]
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']

export const beginning = fc.record({
  place: fc.constantFrom(...places),
  /** Few days with many hits, or many days with few. */
  days: fc.oneof(fc.constant(5), fc.integer({ min: 20, max: 40 }), fc.integer({ min: 20, max: 150 })),
  hits: fc.array(sent, { minLength: 1, maxLength: 110 }),
})

export interface Living {
  site: LiveSite
  readonly oracle: Oracle
  readonly store: Store
  /** Builds the columns of days. */
  readonly engine: Engine
  readonly begins: number
  now: number
  /** Called with each hit that is kept. */
  heard?(hit: NewHit): void
}

export async function begin(
  store: Store,
  engine: Engine,
  { place: [zone, around], days, hits }: Drawn<typeof beginning>,
  heard?: (hit: NewHit) => void,
): Promise<Living> {
  const site = await addSite(store, zone, { identity: 'declared' })
  const own = goals.map(goal => ({ ...goal, id: `${goal.id}_${site.number}` }))
  for (const goal of own) await addGoal(store, site, goal.id, goal)
  const now = Date.parse(around) + 2.5 * DAY
  const living: Living = { site, store, engine, oracle: new Oracle([], zone, own), begins: now - days * DAY, now, ...(heard && { heard }) }
  living.oracle.site = site.id
  await keep(living, hitsOf(site, hits, living.begins, now))
  return living
}

/** Deletes the site. */
export async function end({ store, site }: Living): Promise<void> {
  await store.write.updateTable('sites').set({ deleted_at: 0 }).where('id', '=', site.id).execute()
  assert.ok(await purgeSite(store, { site: site.number, limit: 1_000_000 }))
}

/** Stores hits in order of time, and passes them to the oracle. */
async function keep({ store, oracle, now, heard }: Living, hits: readonly NewHit[]): Promise<void> {
  const inOrder = hits.toSorted((a, b) => a.at - b.at)
  const isLate = inOrder.some(({ at }) => at < now - 20 * HOUR)
  const clock = { now: () => now, randomBytes }
  for (let i = 0; i < inOrder.length; i += 25) {
    const some = inOrder.slice(i, i + 25)
    const outcomes = isLate ? await openBulk(store, clock)(some, async () => {}) : await append(some)
    assert.deepEqual(
      outcomes.map(({ stored }) => stored),
      some.map(one => oracle.come(one)),
      'what is kept',
    )
    if (heard) for (const [j, one] of some.entries()) if (outcomes[j]?.stored) heard(one)
  }

  async function append(some: readonly NewHit[]) {
    const hitStore = openHitStore(store, clock)
    const outcomes = await hitStore.append(some)
    await hitStore.close()
    return outcomes
  }
}

const percent = fc.nat(100)
const happenings = {
  come: fc.record({ hits: fc.array(sent, { minLength: 1, maxLength: 8 }), hours: fc.integer({ min: 1, max: 60 }) }),
  late: fc.record({ hits: fc.array(sent, { minLength: 1, maxLength: 5 }) }),
  seal: fc.record({ until: percent, least: fc.constantFrom(0, 0, 1, 3), away: fc.boolean(), hours: fc.constant<number>(2) }),
  sealAgain: fc.record({ day: percent, outdated: fc.boolean() }),
  name: fc.record({
    names: fc.uniqueArray(fc.constantFrom(...events), { minLength: 1, maxLength: 3 }),
    display: fc.constantFrom('Signup', 'buy', 'Bought', null),
    hidden: fc.constantFrom(false, false, true),
  }),
  remove: fc.record({ name: fc.constantFrom(...events), erased: fc.boolean() }),
  eraseDay: fc.record({ day: percent, deletion: fc.nat(2) }),
  erase: fc.record({}),
  clear: fc.record({
    filters: fc.constantFrom<readonly OracleFilter[]>(
      [['country', 'is', 'NP']],
      [['page', 'is', '/docs']],
      [
        ['event', 'is', 'buy'],
        ['device', 'is_not', 'mobile'],
      ],
      [['property:plan', 'is', 'pro']],
      [
        {
          all: [
            ['hostname', 'is', 'shop.example.com'],
            ['page', 'starts_with', '/blog'],
          ],
        },
      ],
    ),
  }),
  apply: fc.record({ page: fc.constantFrom('/docs', '/blog/*', '/Docs') }),
  expire: fc.record({ before: fc.nat(60) }),
  forget: fc.record({ before: percent }),
  pack: fc.record({ until: percent, hours: fc.constantFrom(0, 0, 7), limit: fc.constantFrom(1, 100), stops: fc.nat(6) }),
  merge: fc.record({
    zone: fc.constantFrom(...zones),
    hits: fc.array(sent, { minLength: 1, maxLength: 12 }),
    limit: fc.constantFrom(1, 3, 100),
    isPacked: fc.boolean(),
  }),
  recut: fc.record({ visitsAtOnce: fc.constantFrom(1, 3, 1_000) }),
  move: fc.record({
    zone: fc.constantFrom(...zones),
    hits: fc.array(sent, { maxLength: 5 }),
    hours: fc.integer({ min: 1, max: 30 }),
  }),
}
type Name = keyof typeof happenings
type How<N extends Name> = Drawn<(typeof happenings)[N]>
export type Step = { readonly [N in Name]: { readonly what: N; readonly how: How<N> } }[Name]

const weights: Readonly<Record<Name, number>> = {
  come: 5,
  late: 5,
  seal: 4,
  sealAgain: 2,
  name: 3,
  remove: 4,
  eraseDay: 2,
  erase: 1,
  clear: 1,
  apply: 1,
  expire: 2,
  forget: 1,
  pack: 5,
  merge: 2,
  recut: 2,
  move: 2,
}
export const step = fc.oneof(...(Object.keys(happenings) as Name[]).map(what => ({ weight: weights[what], arbitrary: stepOf(what) })))

/** Steps of one kind. */
export function stepOf(what: Name): fc.Arbitrary<Step> {
  const how: fc.Arbitrary<object> = happenings[what]
  return fc.record({ what: fc.constant(what), how }) as fc.Arbitrary<Step> // they match
}

export const happen = (living: Living, { what, how }: Step): Promise<void> =>
  (does[what] as (living: Living, how: Step['how']) => Promise<void>)(living, how) // they match

const signal = new AbortController().signal
const contextOf = ({ store, engine, now }: Living, config: object = {}) =>
  ({ store, config, signal, now: () => now, progress() {}, use: () => engine, emitIn: () => async () => {} }) as unknown as TaskContext // the parts that these tasks use
const failed = (_: unknown, error: unknown) => {
  throw error
}
/** The time at which this percentage of the story has passed. */
const timeOf = ({ begins, now }: Living, part: number) => begins + Math.floor((part / 100) * (now - begins))
const daysOf = ({ store, site }: Living) =>
  store.read.selectFrom('site_days').selectAll().where('site_id', '=', site.number).orderBy('day').execute()
const picked = <T>(all: readonly T[], part: number): T | undefined => all[Math.floor((part / 101) * all.length)]

const does: { readonly [N in Name]: (living: Living, how: How<N>) => Promise<void> } = {
  async come(living, { hits, hours }) {
    const from = living.now
    living.now += hours * HOUR
    await keep(living, hitsOf(living.site, hits, from, living.now))
  },

  async late(living, { hits }) {
    await keep(living, await ofCutDays(living, hitsOf(living.site, hits, living.begins, living.now)))
  },

  async seal(living, { until, least: minVisitors, away, hours }) {
    const now = () => timeOf(living, until) + DAY
    const { engine } = living
    while (await engine.sealDays({ now, signal, minVisitors, failed })) {
      /* there is more */
    }
    if (away) await moveOut(living.store, { now, graceMs: 0, signal })
    if (hours > 0) await dropCopies(living.store, now() + hours * HOUR)
  },

  async sealAgain(living, { day: part, outdated }) {
    const { store, site } = living
    const { day = 0, rev = 0, next_visitor: visitors = 0 } = picked(await daysOf(living), part) ?? {}
    if (outdated) {
      await store.write.updateTable('site_days').set({ sealed_rev: -1 }).where('site_id', '=', site.number).where('day', '=', day).execute()
    }
    const copy = store.cluster ? newCopy(living.now) : 0
    if (copy !== 0) await noteCopy(store, { dayOf: { site: site.number, day }, copy, now: living.now })
    const built = await openLocal(store, { cacheBytes: 100_000 }).sealed(site.number, day, copy)
    const { copied = null, sealed = null } = built ?? {}
    if (built)
      assert.ok(
        await writeSealed(store, { unsealed: { site: site.number, day, rev, visitors }, format: FORMAT, sealed, copied, now: living.now }),
      )
  },

  async name({ store, site, oracle }, { names, display, hidden }) {
    for (const name of names) {
      await setEvent(store.write, { key: { site_id: site.id, name }, changed: { display_name: display, hidden: hidden ? 1 : 0 }, now: 0 })
      oracle.naming.set(name, { display, hidden })
    }
  },

  async remove(living, { name, erased }) {
    const { store, site, oracle, now } = living
    if (!oracle.ever.has(name)) return
    await store.transaction(trx => requestDeletion(trx, { store, site, name, now }))
    oracle.delete(name)
    if (erased) await does.erase(living, {})
  },

  async eraseDay(living, { day: part, deletion }) {
    const { store, site, oracle } = living
    const pending = await store.read
      .selectFrom('event_deletions')
      .select(['event', 'name'])
      .where('site_id', '=', site.id)
      .where('finished_at', 'is', null)
      .orderBy('requested_at')
      .orderBy('event')
      .execute()
    const { day = 0 } = picked(await daysOf(living), part) ?? {}
    const { event, name } = pending[deletion] ?? {}
    if (event === undefined) return
    await store.transaction(trx => eventEraser(store)(trx, { site: site.number, day, event }, { limit: 1_000 }))
    const alike = pending.filter(one => one.name === name)
    const { hits } =
      oracle.deletions.filter(one => one.name === name).at(alike.findIndex(one => one.event === event) - alike.length) ?? assert.fail()
    oracle.erase(hits, visit => visit.day === day)
  },

  async erase(living) {
    const { oracle } = living
    assert.equal(await eraseEvents(contextOf(living)), false)
    for (const { hits } of oracle.deletions) oracle.erase(hits)
    oracle.deletions = []
  },

  async clear(living, { filters }) {
    const { conditions, faults } = parseFilters(filters)
    assert.deepEqual(faults, [])
    await eraseAll(living, { where: conditions, hits: null, goals: [] }, null)
    living.oracle.eraseVisits(filters)
  },

  async apply(living, { page }) {
    const rule = { id: 'trf_1', kind: 'page', action: 'block', value: page, allowed: [] } as const
    const past = pastOf(rule)
    assert.ok('where' in past)
    await eraseAll(living, { ...past, goals: [] }, rule)
    const matches = wildcard(page)
    living.oracle.drop(one => matches(one.page))
  },

  async expire(living, { before }) {
    const {
      site: { timezone },
      oracle,
      now,
    } = living
    const today = dateAt(timezone, now)
    const days = today - dateAt(timezone, timeOf(living, before)) + 1
    await hits_expire.run(contextOf(living, { of: (each: Setting) => (each === RETENTION_DAYS ? days : each.parse(each.default)) }))
    oracle.expire(today - days)
  },

  async forget(living, { before: part }) {
    const { store, site, oracle } = living
    const salts = () => store.read.selectFrom('salts').select('day').where('site_id', '=', site.number).execute()
    const before = await salts()
    await forgetVisitors(store, timeOf(living, part) + 2 * DAY)
    const left = new Set((await salts()).map(({ day }) => day))
    oracle.forget(before.map(({ day }) => day).filter(day => !left.has(day)))
  },

  /** @param stops is reported as an end of the process after so many steps; 0 for none */
  async pack(living, { until, hours, limit, stops }) {
    const now = () => timeOf(living, until) + DAY
    if (hours > 0) await dropCopies(living.store, now() + hours * HOUR)
    const stop = new AbortController()
    const progress = (done: number) => done === stops && stop.abort()
    for (let isMore = true; isMore && !stop.signal.aborted; ) {
      isMore = await living.engine.packDays({
        now,
        graceMs: 0,
        signal: stop.signal,
        limit,
        progress,
        failed,
        runs: { afterMs: 0, leastDays: 1 },
      })
    }
  },

  /** Another site, with days of its own zone, gives its history away. */
  async merge(living, { zone, hits, limit, isPacked }) {
    const { store, site: into, oracle, begins, now } = living
    const site = await addSite(store, zone, { identity: 'declared' })
    const other: Living = { site, store, engine: living.engine, oracle: new Oracle([], zone, []), begins, now }
    other.oracle.site = site.id
    await keep(other, await ofCutDays(living, hitsOf(site, hits, begins, now)))
    if (isPacked) await does.pack(other, { until: 100, hours: 0, limit: 100, stops: 0 })
    for (const { day } of await daysOf(other)) {
      const merging = { from: site.number, into: { number: into.number, zone: into.timezone }, day, limit, rehash: (id: string) => id }
      while (!(await store.transaction(trx => siteMerger(store)(trx, merging))).isDone) {
        /* there is more */
      }
    }
    assert.ok(await forgetTexts(store, site.number, { signal, searched() {} }))
    oracle.merge(other.oracle)
    await end(other)
  },

  /** All days at once, whose visitors are forgotten before. */
  async recut(living, { visitsAtOnce }) {
    const { store, site, oracle, now } = living
    await does.forget(living, { before: 100 })
    const salts = await store.read.selectFrom('salts').select('day').where('site_id', '=', site.number).execute()
    await store.write.deleteFrom('salts').where('site_id', '=', site.number).execute()
    await store.write.deleteFrom('visitors').where('site_id', '=', site.number).execute()
    oracle.forget(salts.map(({ day }) => day))
    const cutting = { site: site.number, zone: site.timezone, before: now + DAY, now: now + 9 * DAY, signal, visitsAtOnce }
    const calls = { mayCut: async () => true, reached: async () => {}, finished: async () => {} }
    assert.ok(await recutSite(store, { ...cutting, ...calls }))
    oracle.recut()
  },

  async move(living, { zone, hits: next, hours }) {
    const { store, site, oracle, now } = living
    // Send a hit before the move, so that the current day exists.
    const hits = hitsOf(site, someone, now - 10_000, now)
    await keep(living, hits)
    await store.write.updateTable('sites').set({ timezone: zone }).where('id', '=', site.id).execute()
    // Days were cut as if all hits had come long ago: the day after now may exist, with boundaries of the zone before.
    const ahead = (await daysOf(living)).filter(day => day.starts_at < day.ends_at).map(day => day.starts_at)
    oracle.calendar.move(Math.max(hits[0]?.at ?? assert.fail(), ...ahead), zone)
    living.site = { ...site, timezone: zone }
    await does.come(living, { hits: next, hours })
  },
}

/** A day without hits has no row yet: it would be cut by the current zone, before or after a move. */
async function ofCutDays(living: Living, hits: readonly NewHit[]): Promise<NewHit[]> {
  const days = await daysOf(living)
  return hits.filter(({ at }) => at >= living.oracle.calendar.since || days.some(day => day.starts_at <= at && at < day.ends_at))
}

/** Erases visits or hits of all days. */
async function eraseAll(living: Living, scope: ErasureScope, rule: AppliedRule | null): Promise<void> {
  const { store, site, now } = living
  const days = await daysOf(living)
  await store.write
    .insertInto('visit_erasures')
    .values({
      id: `vis_${site.number}_${erasures++}`,
      site_id: site.id,
      ...{ from_day: (days[0]?.day ?? 0) - 3, to_day: (days.at(-1)?.day ?? 0) + 3, filters: '[]', segment_id: null },
      scope: JSON.stringify(scope),
      rule: rule && JSON.stringify(rule),
      ...{ visits: 0, pageviews: 0, events: 0, revenue: 0, next_day: null, progress: 0 },
      ...{ requested_at: now + 1, finished_at: null },
    })
    .execute()
  assert.equal(await eraseVisits(contextOf(living)), false)
}
let erasures = 0

const someone = fc.sample(sent, { seed: 1, numRuns: 1 }).map(one => ({ ...one, near: false, when: 10_000, kind: 'pageview' as const }))

/** Brings all rows back, for who looks at them. */
export async function haveRows(living: Living): Promise<void> {
  for (const { day } of await daysOf(living)) await haveRowsOf(living.store, { site: living.site.number, day }, living.now - 7 * HOUR)
}
