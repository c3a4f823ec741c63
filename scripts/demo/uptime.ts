/**
 * A month of uptime: response times in two locations every hour, and one outage. Then the check is paused, as the shop
 * does not exist; its domain is reserved (RFC 2606).
 */
import type { Web } from '../../adapters/http/web.ts'
import { recordResults } from '../../operations/watch/uptime/record-results.ts'
import { rollUp } from '../../operations/watch/uptime/roll-up.ts'
import type { App } from '../../runtime/app.ts'
import { type IdKind, makeId } from '../../runtime/values/ids.ts'
import { DAY_MS, HOUR_MS } from '../../storage/values/durations.ts'
import { type Chance, chance } from './chance.ts'
import { openClient, type Place } from './client.ts'

const DAYS = 30
const check = { name: 'Shop front', url: 'https://shop.example/', interval_seconds: 3_600, public: true }
/** Network latency, ms. */
const locations = { fra1: 40, nyc1: 130 } as const
/** By hours ago. */
const outage = { from: 220, to: 217, error: 'status_503' }
const isOut = (hoursAgo: number) => hoursAgo <= outage.from && hoursAgo >= outage.to

export interface Watching {
  readonly web: Web
  readonly app: App
  /** The clock of both. */
  readonly clock: { now: number }
}

/** @param now epoch ms, the end of the month; the clock is set to it afterwards */
export async function watchShop(
  { web, app, clock }: Watching,
  { place, now, seed }: { place: Place; now: number; seed: number },
): Promise<void> {
  const { store } = app
  const { send, make } = openClient(web, place)
  clock.now = now - DAYS * DAY_MS
  const id = await make('uptime', check)
  const { number } = await store.read.selectFrom('uptime_checks').select('number').where('id', '=', id).executeTakeFirstOrThrow()
  const hours = Array.from({ length: DAYS * 24 }, (_, i) => DAYS * 24 - i)
  const drawn = chance(seed)
  const seen = hours.map(ago => ({ ago, results: probes(drawn, { checkNumber: number, at: now - ago * HOUR_MS, hoursAgo: ago }) }))
  // Results with the same outcome can be recorded together: only the latest ones decide.
  const phases = [
    seen.filter(({ ago }) => ago > outage.from),
    seen.filter(({ ago }) => isOut(ago)),
    seen.filter(({ ago }) => ago < outage.to),
  ]
  await store.transaction(async trx => {
    for (const phase of phases) {
      const at = now - (phase.at(-1)?.ago ?? 0) * HOUR_MS
      const newId = (kind: IdKind) => makeId(kind, at, app.random(14))
      const recording = { now: at, emit: app.emitIn(trx, at), newId }
      await recordResults(trx, { dialect: store.dialect, recording, results: phase.flatMap(({ results }) => results) })
    }
  })
  clock.now = now
  await send('POST', `/uptime/checks/${id}/pause.json`, {})
  await rollUp(store, now, { signal: new AbortController().signal, progress() {} })
}

function probes({ around }: Chance, { checkNumber, at, hoursAgo }: { checkNumber: number; at: number; hoursAgo: number }) {
  return Object.entries(locations).map(([location, distance]) => ({
    checkNumber,
    location,
    at,
    ok: !isOut(hoursAgo),
    error: isOut(hoursAgo) ? outage.error : null,
    ms: Math.round(distance + 90 + around(25)),
  }))
}
