/**
 * `npm run bench -- alerts [millions] [sqlite|postgres]`: 1,000 alerts of all kinds, due at once,
 * over a site with that many million hits (default 10) in a year; bar: a minute. One day is stored hit by hit and
 * copied to the others, so that loading takes minutes and not hours.
 */
import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { table } from '../../operations/index.ts'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { createApp } from '../../runtime/create-app.ts'
import { readConfig } from '../../runtime/settings/config.ts'
import { type IdKind, makeId } from '../../runtime/values/ids.ts'
import { DAY_MS, MINUTE_MS } from '../../storage/values/durations.ts'
import { openLog } from '../../runtime/observability/log.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { firstHitDimensions } from '../../storage/hits/dictionaries.ts'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore, type Store } from '../../storage/store.ts'
import type { AlertRow } from '../../storage/tables/index.ts'
import { random, creationServices } from '../machine.ts'
import { withDatabases } from './running.ts'
import { ids as goalIds } from '../../operations/sites/goals/records.ts'
import { ids as uptimeIds } from '../../operations/watch/uptime/records.ts'
import { ids as alertIds } from '../../operations/watch/alerts/records.ts'

const [millions = 10] = process.argv.slice(2).map(Number).filter(Number.isFinite)
const only = process.argv.slice(2).find(name => name === 'sqlite' || name === 'postgres')
const ALERTS = 1_000
const DAYS = 365
const HITS_A_DAY = Math.round((millions * 1e6) / DAYS)
/** 15:00 UTC on the last day. */
const now = Math.floor(Date.now() / DAY_MS) * DAY_MS + 15 * 60 * MINUTE_MS
const lastDay = Math.floor(now / DAY_MS)

await withDatabases(async (engine, url) => {
  if (only !== undefined && only !== engine) return
  const store = openStore(url)
  await migrate(store)
  const { workspace_id, site_id } = await setUp(
    store,
    { email: 'bench@example.com', workspace: 'Bench', site: 'bench.example.com', timezone: 'UTC' },
    await creationServices(undefined, now - 400 * DAY_MS),
  )
  const { number: site } = await store.read.selectFrom('sites').select('number').where('id', '=', site_id).executeTakeFirstOrThrow()
  const began = performance.now()
  await fillDay(store, site)
  await copyDays(store, site)
  const {
    rows: [counted],
  } = await sql<{ hits: number }>`select count(*) as hits from hits`.execute(store.read)
  print(engine, `${(counted?.hits ?? 0).toLocaleString('en')} hits loaded in ${seconds(began)} s`)

  await addAlerts(store, workspace_id, site_id)
  const clock = { now }
  const app = createApp({
    store,
    config: { ...readConfig({}), BASE_URL: 'http://localhost' },
    table,
    log: openLog('warn'),
    now: () => clock.now,
    random,
  })
  const scheduler = createScheduler(app)
  for (const run of ['cold', 'warm']) {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const started = performance.now()
    await scheduler.runDue(['alerts_evaluate'])
    delay.disable()
    const done = await store.read
      .selectFrom('alerts')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('last_evaluated_at', '=', clock.now)
      .executeTakeFirstOrThrow()
    print(
      engine,
      `${run}: ${done.n} alerts evaluated in ${seconds(started)} s · longest block of the main thread p99 ${ms(delay.percentile(99))}, at most ${ms(delay.max)}`,
    )
    clock.now += 15 * MINUTE_MS
  }
  const open = await store.read
    .selectFrom('alert_incidents')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  print(engine, `${open.n} incidents open`)
  await app.close()
  await store.close()
})

/** Stores the hits of the last day, three for each visit, and vitals for every third visit. */
async function fillDay(store: Store, site: number): Promise<void> {
  const clock = { now: 0 }
  const hits = openHitStore(store, { now: () => clock.now, randomBytes })
  const visit = Object.fromEntries(firstHitDimensions.map(name => [name, name === 'channel' ? 'Direct' : ''])) as NewHit['visit'] // one entry for each dimension
  const visits = Math.round(HITS_A_DAY / 3)
  const plain = {
    site,
    zone: 'UTC',
    event: '',
    interactive: true,
    revenue: 0,
    engagedMs: 0,
    scroll: 0,
    props: [],
    visit,
    vitals: {},
    clicks: [],
  } as const
  let batch: NewHit[] = []
  for (let i = 0; i < visits; i++) {
    const at = lastDay * DAY_MS + Math.floor((i * (DAY_MS - 10 * MINUTE_MS)) / visits)
    const identity = { ip: `visitor ${i}`, userAgent: '' }
    const of = (more: Pick<NewHit, 'at' | 'kind' | 'page'> & Partial<NewHit>): NewHit => ({ ...plain, identity, ...more })
    batch.push(of({ at, kind: 'pageview', page: `/${i % 500}` }), of({ at: at + 20_000, kind: 'pageview', page: `/${(i * 7) % 500}` }))
    batch.push(
      i % 20 === 0
        ? of({ at: at + 40_000, kind: 'event', page: '/', event: 'Signup' })
        : of({ at: at + 40_000, kind: 'pageview', page: '/end' }),
    )
    if (i % 3 === 0)
      batch.push(
        of({ at: at + 50_000, kind: 'vitals', page: '/end', vitals: { lcp: 1500 + (i % 2000), inp: 100, cls: 0.05, fcp: 900, ttfb: 200 } }),
      )
    if (batch.length < 400) continue
    clock.now = at + MINUTE_MS
    await hits.append(batch)
    batch = []
  }
  clock.now += MINUTE_MS
  await hits.append(batch)
  await hits.close()
}

/** Copies that day to each of the days before. */
async function copyDays(store: Store, site: number): Promise<void> {
  const shifted: Readonly<Record<string, readonly string[]>> = {
    site_days: ['starts_at', 'ends_at'],
    visits: ['started_at'],
    hits: ['at'],
    vitals: [],
  }
  const columnsOf = async (name: string) =>
    (await store.read.introspection.getTables()).find(table => table.name === name)?.columns.map(column => column.name) ?? []
  const copies = await Promise.all(Object.entries(shifted).map(async ([name, times]) => ({ name, times, columns: await columnsOf(name) })))
  for (let back = 1; back < DAYS; back++) {
    await store.transaction(async trx => {
      for (const { name, times, columns } of copies) {
        const values = columns.map(column =>
          column === 'day' ? `day - ${back}` : times.includes(column) ? `${column} - ${back * DAY_MS}` : column,
        )
        await sql
          .raw(
            `insert into ${name} (${columns.join(', ')}) select ${values.join(', ')} from ${name} where site_id = ${site} and day = ${lastDay}`,
          )
          .execute(trx)
      }
    })
  }
  if (store.dialect.name === 'postgres') await sql`analyze`.execute(store.write)
}

/** Alerts of all kinds in turn, mostly with usual windows. */
async function addAlerts(store: Store, workspace_id: string, site_id: string): Promise<void> {
  const id = (kind: IdKind) => makeId(kind, now, random(14))
  const goal = id(goalIds.goal)
  await store.write
    .insertInto('goals')
    .values({
      id: goal,
      site_id,
      name: 'Signup',
      kind: 'event',
      path: null,
      event: 'Signup',
      property: null,
      value: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await store.write
    .insertInto('uptime_checks')
    .values(
      Array.from({ length: 20 }, (_, i) => ({
        id: id(uptimeIds.check),
        workspace_id,
        site_id,
        name: `Check ${i}`,
        kind: 'http' as const,
        url: 'https://example.com/',
        host: null,
        port: null,
        keyword: null,
        expected_status: 200,
        http_method: 'GET' as const,
        interval_seconds: 300,
        timeout_seconds: 20,
        public: 0,
        status: i === 0 ? ('down' as const) : ('up' as const),
        status_since: now,
        watched_since: now,
        last_checked_at: now,
        next_check_at: null,
        leased_until: null,
        last_response_ms: 100,
        ssl_expires_at: now + 30 * DAY_MS,
        ssl_issuer: null,
        domain: null,
        domain_expires_at: null,
        created_at: now,
      })),
    )
    .execute()
  const windows = [5, 10, 15, 30, 60, 60, 60, 60, 90, 120, 180, 240, 360, 720, 1440, 2880, 10_080]
  const traffic = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'conversion'] as const
  const watched: readonly ((i: number) => Partial<AlertRow>)[] = [
    i => ({ kind: 'threshold', metric: traffic[i % 5] ?? null, operator: 'lt', threshold: i % 100, goal_id: i % 5 === 4 ? goal : null }),
    i => ({ kind: 'anomaly', metric: traffic[i % 5] ?? null, goal_id: i % 5 === 4 ? goal : null }),
    i => ({ kind: 'goal', goal_id: goal, operator: 'gte', threshold: i }),
    i => ({ kind: 'no_data', threshold: 1 + (i % 48) }),
    i => ({ kind: 'usage', site_id: null, operator: 'gte', threshold: i % 100 }),
    () => ({ kind: 'uptime' }),
    i => ({ kind: 'ssl', operator: 'lte', threshold: i % 60 }),
    i => ({ kind: 'vitals', metric: (['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const)[i % 5] ?? null, operator: 'gt', threshold: 3_000 }),
  ]
  const rows = Array.from(
    { length: ALERTS },
    (_, i): AlertRow => ({
      id: id(alertIds.alert),
      workspace_id,
      site_id,
      name: `Alert ${i}`,
      kind: 'usage',
      metric: null,
      operator: null,
      threshold: null,
      window_minutes: i % 9 === 0 ? 5 + ((i * 37) % 1_440) : (windows[Math.floor(i / 8) % windows.length] ?? 60),
      sensitivity: 'medium',
      goal_id: null,
      uptime_check_id: null,
      state: 'ok',
      enabled: 1,
      muted_until: null,
      last_triggered_at: null,
      last_evaluated_at: null,
      created_at: now,
      evaluate_at: now,
      leased_until: null,
      streak: 0,
      ...watched[i % watched.length]?.(Math.floor(i / watched.length)),
    }),
  )
  for (let i = 0; i < rows.length; i += 100)
    await store.write
      .insertInto('alerts')
      .values(rows.slice(i, i + 100))
      .execute()
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}

function ms(nanoseconds: number): string {
  return `${(nanoseconds / 1e6).toFixed(0)} ms`
}

function print(engine: string, line: string): void {
  process.stdout.write(`${engine.padEnd(9)} ${line}\n`)
}
