/**
 * Stories of groups: each hit of a site is also sent to one of two sites, by its visitor, so that a group of both must answer
 * as the site does, whose answers are compared with brute force. `ORACLE_RUNS=500` for a long run.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../../../support/properties.ts'
import { requestDeletion } from '../../../../operations/reports/events/deletion.ts'
import { setEvent } from '../../../../operations/reports/events/settings.ts'
import type { LiveSite } from '../../../../operations/sites/sites/records.ts'
import { clockTime } from '../../../../storage/calendar/zones.ts'
import { type Engine, openEngine } from '../../../../storage/engine/index.ts'
import type { Goal, Member, Scope } from '../../../../storage/engine/vocabulary/scope.ts'
import { dictionaryOf } from '../../../../storage/hits/dictionaries.ts'
import { openBulk } from '../../../../storage/hits/bulk-hits.ts'
import type { NewHit } from '../../../../storage/hits/new-hit.ts'
import { randomBytes } from '../../../support/chance.ts'
import { onEachEngine } from '../../../support/engines.ts'
import { isFull } from '../../../support/full.ts'
import { addSite } from '../traffic.ts'
import { Oracle } from './oracle.ts'
import { always, ask, question } from './questions.ts'
import { halfOf } from './random-hits.ts'
import { begin, beginning, end, happen, type Living, step } from './stories.ts'

const { ORACLE_RUNS, ORACLE_SEED, ORACLE_PATH } = process.env
const runsOn = ({ name }: { readonly name: string }) => Number(ORACLE_RUNS ?? (isFull ? 20 : name === 'sqlite' ? 4 : 1))

/** The sites keep their zones, an event is deleted everywhere at once, and no visits are erased or merged. */
const left = new Set(['move', 'recut', 'merge', 'eraseDay', 'clear', 'apply'])
const steps = step.filter(({ what }) => !left.has(what))
const story = fc.record({
  beginning,
  chapters: fc.array(fc.record({ step: steps, own: fc.array(steps, { maxLength: 2 }), questions: fc.array(question, { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 8,
  }),
  crowded: fc.boolean(),
})
/** Steps of a site that change no answer. */
const quiet = new Set(['seal', 'sealAgain', 'pack'])

onEachEngine('stories of groups', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let roomy: Engine
  let tight: Engine
  before(async () => {
    database = await engine.create()
    roomy = openEngine(database.store, { threads: 0, cacheBytes: 16_000_000 })
    tight = openEngine(database.store, { threads: 0, cacheBytes: 100_000, rowsAtOnce: 3 })
  })
  after(() => database.drop())

  test('a group answers as one site would that has the visitors of its sites', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ beginning: first, chapters, crowded }) => {
        const { store } = database
        const analytics = crowded ? tight : roomy
        const waiting: NewHit[] = []
        const living = await begin(store, analytics, first, one => waiting.push(one))
        const { timezone } = living.site
        const sites = [await addSite(store, timezone, { identity: 'declared' }), await addSite(store, timezone, { identity: 'declared' })]
        const group = groupOf(sites, timezone)
        const shadows: Living[] = sites.map(site => ({ ...living, site, oracle: new Oracle([], timezone, []) }))

        async function follow() {
          const hits = waiting.splice(0).toSorted((a, b) => a.at - b.at)
          const all = hits.map(one => ({ ...one, site: sites[placeOf(one)]?.number ?? 0 }))
          const outcomes = await openBulk(store, { now: () => living.now, randomBytes })(all, async () => {})
          assert.ok(outcomes.every(({ stored }) => stored))
        }
        const asker = answeringAlike(analytics, group)
        await follow()
        for (const one of always) await ask(asker, living, one)
        for (const { step: what, own, questions } of chapters) {
          const deleted = what.what === 'remove' && living.oracle.ever.has(what.how.name)
          for (const site of sites) {
            if (deleted) await removeEvent(living, site, what.how.name)
            if (what.what === 'name') await nameEvents(living, site, what.how)
          }
          await happen(living, what)
          await follow()
          for (const [i, shadow] of shadows.entries()) {
            shadow.now = living.now
            const one = own[i]
            if (one && quiet.has(one.what)) await happen(shadow, one)
          }
          for (const one of [...always, ...questions]) await ask(asker, living, one)
        }
        for (const one of [living, ...shadows]) await end(one)
      }),
      {
        numRuns: runsOn(engine),
        includeErrorInReport: true,
        endOnFailure: !ORACLE_RUNS,
        ...(ORACLE_SEED ? { seed: Number(ORACLE_SEED) } : {}),
        ...(ORACLE_PATH ? { path: ORACLE_PATH } : {}),
      },
    )
  })

  test('a group of sites in two zones counts each day, and each hour of the clock, of its site', async () => {
    await fc.assert(
      fc.asyncProperty(beginning, fc.array(question, { minLength: 3, maxLength: 6 }), async (first, questions) => {
        const { store } = database
        const hits: NewHit[] = []
        const living = await begin(store, roomy, { ...first, place: ['UTC', '2026-03-20T12:00Z'] }, one => hits.push(one))
        const sites = [await addSite(store, 'Asia/Tokyo'), await addSite(store, 'America/Sao_Paulo')]
        const all = hits
          .map(one => {
            const site = sites[placeOf(one)] ?? assert.fail()
            return { ...one, site: site.number, zone: site.timezone, at: one.at - (clockTime(site.timezone, one.at) - one.at) }
          })
          .toSorted((a, b) => a.at - b.at)
        await openBulk(store, { now: () => living.now + 86_400_000, randomBytes })(all, async () => {})
        const asker = answeringAlike(roomy, { ...groupOf(sites, 'UTC'), isClockTime: true })
        for (const one of questions) await ask(asker, living, { ...one, period: one.period === '24h' ? '7d' : one.period })
        for (const site of sites) await end({ ...living, site })
        await end(living)
      }),
      { numRuns: runsOn(engine), includeErrorInReport: true },
    )
  })
})

type GroupScope = Pick<Scope, 'members' | 'isClockTime' | 'zone'>

const groupOf = (sites: readonly LiveSite[], zone: string): GroupScope => ({
  members: sites.map(({ number, id, timezone }): Member => ({ site: number, id, zone: timezone })),
  zone,
})

const placeOf = ({ identity }: NewHit): number => halfOf('ip' in identity ? identity.ip : '')

/** An engine that asks the group as well. */
const answeringAlike = (engine: Engine, group: GroupScope): Engine => ({
  ...engine,
  async query(query) {
    const found = await engine.query(query)
    const text = JSON.stringify(query)
    if (/"site"(?!:)/.test(text) || text.includes('"report":"visit_log"')) return found // the group has two values of `site`
    const goals = query.goals.map(
      (goal): Goal => ({
        ...goal,
        ofSites: group.members?.map(({ id }) => ({ site: id, goal })),
      }),
    )
    const together: typeof query = { ...query, site: 999_999, ...group, goals }
    assert.deepEqual(await engine.query(together), found, JSON.stringify(query))
    assert.deepEqual(await engine.query(together), found, 'asked once more')
    return found
  },
})

/** Of a site that never had the event there is nothing to remove. */
async function removeEvent({ store, now }: Living, site: LiveSite, name: string): Promise<void> {
  const events = store.read.selectFrom('dict').select('id').where('site_id', '=', site.number).where('dim', '=', dictionaryOf.event)
  if ((await events.where('value', '=', name).execute()).length === 0) return
  await store.transaction(trx => requestDeletion(trx, { store, site, name, now }))
}

async function nameEvents(
  { store }: Living,
  site: LiveSite,
  { names, display, hidden }: { readonly names: readonly string[]; readonly display: string | null; readonly hidden: boolean },
): Promise<void> {
  for (const name of names) {
    await setEvent(store.write, { key: { site_id: site.id, name }, changed: { display_name: display, hidden: hidden ? 1 : 0 }, now: 0 })
  }
}
