/** A check that is up, one that is paused, and a remote probe. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { makeId, makeUuid } from '../../../runtime/values/ids.ts'
import { hashToken, makeToken } from '../../../runtime/call/tokens.ts'
import type { Db } from '../../../storage/store.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { nothingKnown, resultsReach, startAgain } from './checks.ts'
import { probe } from './probes/records.ts'
import { ids } from './records.ts'

export interface CheckOptions extends Partial<Omit<UptimeCheckRow, 'number'>> {
  readonly workspace_id: string
}

interface Making {
  readonly db: Db
  readonly now: number
  random(size: number): Buffer
}

/** Inserts a check directly, without the operation. */
export async function insertCheck({ db, now, random }: Making, { workspace_id, ...rest }: CheckOptions): Promise<UptimeCheckRow> {
  const row = await db
    .insertInto('uptime_checks')
    .values({
      id: makeId(ids.check, now, random(14)),
      workspace_id,
      site_id: null,
      name: null,
      kind: 'http',
      url: 'https://example.com/',
      host: null,
      port: null,
      keyword: null,
      expected_status: 200,
      http_method: 'GET',
      interval_seconds: 60,
      timeout_seconds: 10,
      public: 0,
      ...startAgain(now),
      watched_since: now - resultsReach,
      ...nothingKnown,
      last_checked_at: null,
      last_response_ms: null,
      domain: null,
      domain_expires_at: null,
      created_at: now,
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db.insertInto('uptime_periods').values({ check_number: row.number, started_at: now, status: row.status }).execute()
  return row
}

export async function insertProbeToken({ db, now, random }: Making, workspace_id: string, location = 'fra1') {
  const token = makeToken(random, 'prb_')
  const id = makeUuid(random(16))
  await db
    .insertInto('probe_tokens')
    .values({
      id,
      workspace_id,
      name: 'Probe',
      location,
      hash: hashToken(token),
      token_prefix: token.slice(0, 10),
      created_by: 'owner@example.com',
      last_used_at: null,
      revoked_at: null,
      created_at: now,
    })
    .execute()
  return { id, token }
}

export const example = exampleRecords(async world => {
  const { domain, id } = world
  const place = { workspace_id: id('workspace'), site_id: id('site') }
  const check = await insertCheck(world, { ...place, url: `https://${domain}/`, status: 'up', public: 1 })
  const stopped = { status: 'paused', next_check_at: null } as const
  const paused = await insertCheck(world, { ...place, url: `https://${domain}/paused`, ...stopped })
  const { id: probe_token, token } = await insertProbeToken(world, place.workspace_id)
  world.shows(probe, token)
  return { check: check.id, paused_check: paused.id, probe_token }
})
