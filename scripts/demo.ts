/**
 * `npm run demo` creates a shop with two years of traffic, goals, revenue, campaigns, an experiment, funnels, dashboards and
 * a month of uptime, and serves it. The same seed gives the same visits, counted back from today.
 */
import { rm } from 'node:fs/promises'
import { createWeb } from '../adapters/http/http.ts'
import { mounts } from '../adapters/index.ts'
import { filesNextTo } from '../operations/exchange/files/index.ts'
import { table } from '../operations/index.ts'
import { addSignInLink, isEmpty, type SetUp, setUp, workspacesOf } from '../operations/service/setup/set-up.ts'
import { openIdentityKey, personHash } from '../operations/sites/sites/identity.ts'
import { secretBox } from '../runtime/settings/secret-box.ts'
import { createApp } from '../runtime/create-app.ts'
import type { Config } from '../runtime/settings/config.ts'
import { openLog } from '../runtime/observability/log.ts'
import { fileOf, type Store } from '../storage/store.ts'
import { localDay } from '../storage/calendar/zones.ts'
import { DAY_MS } from '../storage/values/durations.ts'
import { commandLine } from './command-line.ts'
import { DAYS } from './demo/calendar.ts'
import { fill } from './demo/fill.ts'
import { domain } from './demo/people.ts'
import { makeRecords } from './demo/records.ts'
import { watchShop } from './demo/uptime.ts'
import { command, random, withDatabase, creationServices } from './machine.ts'
import { openProgress } from './progress.ts'
import { runService } from './service.ts'
import { listed } from './workspaces.ts'

const ZONE = 'Europe/Berlin'
const shop = { email: 'owner@example.com', workspace: 'Garden shop', site: domain, timezone: ZONE }

const options = commandLine('demo')
  .option('--hits <number>', 'pageviews and events, about', Number, 500_000)
  .option('--seed <number>', 'another number, other visits', Number, 1)
  .option('--fresh', 'delete the demo that is there first')
  .option('--fill-only', 'do not start the service')
  .parse()
  .opts<{ hits: number; seed: number; fresh?: true; fillOnly?: true }>()

const isOwn = !process.env.DATABASE_URL
process.env.DATABASE_URL ||= 'file:data/demo.db'
export const run = (): Promise<void> =>
  command(async config => {
    if (!Number.isInteger(options.hits) || options.hits < 1_000 || options.hits > 100_000_000) {
      throw new Error('--hits must be a whole number from 1000 to 100000000')
    }
    if (!Number.isInteger(options.seed)) throw new Error('--seed must be a whole number')
    if (options.fresh) await clear(config.DATABASE_URL)
    const made = await withDatabase(config, store => existingDemo(store, config).then(found => found ?? build(store, config)))
    if (options.fillOnly) process.stdout.write(`${JSON.stringify(made)}\n`)
    else {
      const database = isOwn ? config.DATABASE_URL : undefined
      await runService(config, { web: true, worker: true }, { email: shop.email, ...made, domain, period: '30d', database })
    }
  })

/** @throws Error if other programs share the database */
async function clear(url: string): Promise<void> {
  const file = fileOf(url)
  if (file === undefined) throw new Error('--fresh deletes the file of a SQLite database; empty this one yourself')
  for (const suffix of ['', '-wal', '-shm', '.key']) await rm(`${file}${suffix}`, { force: true })
  const files = process.env.FILES_URL ? undefined : filesNextTo(url)
  if (files !== undefined) await rm(files, { recursive: true, force: true })
}

/**
 * Returns the demo that an earlier run created, with a new token; undefined if the database is empty.
 * @throws Error if the database contains something else
 */
async function existingDemo(store: Store, config: Config): Promise<(SetUp & { email: string }) | undefined> {
  if (await isEmpty(store.read)) return undefined
  const site = await store.read.selectFrom('sites').select('number').where('domain', '=', domain).executeTakeFirst()
  const workspaces = await workspacesOf(store.read)
  // Its owner may have another address by now: the link that the demo prints asks for one.
  const demo = workspaces.find(({ name }) => name === shop.workspace)
  if (!site || !demo?.owner) {
    const url = config.DATABASE_URL
    const serve = fileOf(url) === undefined ? 'npm start, with the same DATABASE_URL, serves it' : `DATABASE_URL=${url} npm start serves it`
    throw new Error(`The database at DATABASE_URL contains something other than a demo:\n${listed(workspaces)}\n${serve}.`)
  }
  const { last } = await store.read
    .selectFrom('site_days')
    .select(({ fn }) => fn.max('day').as('last'))
    .where('site_id', '=', site.number)
    .executeTakeFirstOrThrow()
  const until = last === null ? 'no hits' : `hits until ${new Date(last * DAY_MS).toISOString().slice(0, 10)}`
  process.stderr.write(`An earlier run created this demo, which has ${until}. npm run demo -- --fresh creates a new one.\n`)
  const { owner: email } = demo
  return { ...(await setUp(store, { ...shop, email }, await creationServices(config))), email }
}

/** Creates the shop, its records and its hits. */
async function build(store: Store, config: Config): Promise<SetUp> {
  const now = Date.now()
  const began = now - DAYS * DAY_MS
  const made = await setUp(store, shop, await creationServices(config, began))
  const clock = { now }
  const app = createApp({ store, config, table, log: openLog('warn'), now: () => clock.now, random })
  const web = createWeb(app, mounts)
  const place = { workspace: made.workspace_id, site: made.site_id, token: made.token }
  await makeRecords(web, place, now)
  await watchShop({ web, app, clock }, { place, now, seed: options.seed })
  const ofSite = store.read.selectFrom('sites').select(['id', 'number', 'identity_key']).where('id', '=', made.site_id)
  const { number, ...site } = await ofSite.executeTakeFirstOrThrow()
  const key = await openIdentityKey(app.use(secretBox), store.read, site)
  await app.close()

  const progress = openProgress()
  const hits = await fill(store, {
    site: number,
    zone: ZONE,
    hits: options.hits,
    seed: options.seed,
    today: localDay(ZONE, now).day,
    now: () => now,
    randomBytes: random,
    ...(key && { hashOf: (id: string) => personHash(key, id) }),
    onProgress: (share, stored) => progress.show(share, `${stored.toLocaleString('en-US')} hits`),
  }).finally(progress.end)
  process.stderr.write(`${hits.toLocaleString('en-US')} hits in ${((Date.now() - now) / 1000).toFixed(0)} s\n`)
  // The link of the set-up has expired already, because the shop was created two years in the past.
  return { ...made, sign_in: await addSignInLink(store, { email: shop.email, resetTwoFactor: false }, await creationServices(config)) }
}
