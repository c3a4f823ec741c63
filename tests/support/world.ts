/**
 * A small world to call operations in: a workspace with members, and the example records of each area. Each test makes
 * its own world in a shared database.
 */
import { findOrAddAccount } from '../../operations/people/account/index.ts'
import { ids as sessionIds, sessionRow } from '../../operations/people/sessions/records.ts'
import { ids as memberIds } from '../../operations/people/members/records.ts'
import { issueToken } from '../../operations/people/tokens/issue.ts'
import { ids as workspaceIds } from '../../operations/people/workspaces/records.ts'
import sites from '../../operations/sites/sites/area.ts'
import { table } from '../../operations/index.ts'
import { createWeb } from '../../adapters/http/http.ts'
import type { Web } from '../../adapters/http/web.ts'
import { mounts } from '../../adapters/index.ts'
import type { App } from '../../runtime/app.ts'
import { createApp } from '../../runtime/create-app.ts'
import { readConfig } from '../../runtime/settings/config.ts'
import { type IdKind, makeId } from '../../runtime/values/ids.ts'
import { openLog } from '../../runtime/observability/log.ts'
import { type Permission, permissionNames, type Role } from '../../runtime/table/permissions.ts'
import { checkTables } from '../../runtime/table/check-tables.ts'
import type { Area } from '../../runtime/table/area.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import type { Db, Store } from '../../storage/store.ts'
import type { Engine } from './engines.ts'
import { randomBytes } from './chance.ts'
import { filesBeside } from './files.ts'
import { packsFirst } from './packed.ts'

export interface TestService {
  readonly app: App
  readonly web: Web
  readonly store: Store
  readonly url: string
  /** The service's clock, which tests can move. */
  readonly clock: { now: number }
  close(): Promise<void>
}

export interface Reply {
  status: number
  headers: Headers
  body: any // any, so that tests can read any field
  text: string
}

/** Settings by name, as text of the environment or as values. */
export type Settings = Readonly<Record<string, string | number | readonly string[]>>

const quiet = {
  RATE_TOKEN: '0',
  RATE_ANONYMOUS: '0',
  RATE_FAILURES: '0',
  RATE_FAILURES_ADDRESS: '0',
  RATE_COSTLY: '0',
  RATE_BATCH: '0',
  SIGN_IN_TRIES: '0',
  SIGN_IN_TRIES_ACCOUNT: '0',
  SIGN_IN_TRIES_ADDRESS: '0',
  BASE_URL: 'http://footfall.test',
  OPERATORS: '@example.com',
}

/**
 * The whole service on a new database, without a socket. No rate limits unless requested.
 * @param brought another table than the service's
 */
export async function startService(engine: Engine, settings: Settings = {}, brought: Table = table): Promise<TestService> {
  const { store, url, drop } = await engine.create()
  await checkTables(store, brought)
  const clock = { now: Date.parse('2026-03-10T12:00:00Z') }
  const given = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
  const app = createApp({
    store,
    table: brought,
    now: () => clock.now,
    random: randomBytes,
    log: openLog(process.env.LOG_LEVEL ?? 'fatal'),
    config: readConfig({ ...quiet, FILES_URL: `file:${filesBeside(url)}`, ...given }, brought.settings),
  })
  return {
    app,
    store,
    url,
    clock,
    web: packsFirst(app, createWeb(app, mounts)),
    close: async () => {
      await app.close()
      await drop()
    },
  }
}

export interface World {
  /** Ids for `{{name}}` in examples. */
  readonly ids: Readonly<Record<string, string>>
  readonly owner: { memberId: string; email: string; accountId: string }
  readonly siteNumber: number
  /** The owner's token, with every permission. */
  readonly token: string
  /** Tokens of other kinds, by credential. */
  readonly shown: Readonly<Record<string, string>>
  /** Adds a member with this role, and a token with all of the role's permissions. */
  join(role: Role): Promise<{ memberId: string; accountId: string; email: string; token: string }>
  /** A token of a new member with this role, with these permissions and sites. */
  tokenFor(
    role: Role,
    grant?: { permissions?: readonly Permission[]; siteIds?: readonly string[]; allowedIps?: readonly string[]; expiresAt?: number },
  ): Promise<string>
  /** The access token of an OAuth client that a new member in this role let in, with all permissions. */
  oauthFor(role: Role): Promise<string>
  /** A session of a new member in this role. */
  sessionFor(role: Role): Promise<string>
}

/** A workspace with its owner, another member and the example records of all areas. */
export const makeWorld = (service: TestService): Promise<World> => makeRecords(service, service.app.table.areas)

/** The same without the records of other areas than the site: enough for most tests, in a quarter of the time. */
export const makeSite = (service: TestService): Promise<World> => makeRecords(service, [sites])

/**
 * A world with the records that the rows' examples name, what those are made of, and the records of the rows' own areas: a
 * few areas of fifty. Which area makes what is known from a whole world, so the first one of a process is whole.
 */
export function makeWorldOf(service: TestService, ...rows: readonly NamedOperation[]): Promise<World> {
  const { areas } = service.app.table
  return makeRecords(service, areas.every(area => makers.has(area)) ? areasOf(areas, rows) : areas)
}

/** Names of records and of credentials. */
interface Maker {
  readonly makes: ReadonlySet<string>
  readonly needs: ReadonlySet<string>
}
/** By what was seen when an area made its records. */
const makers = new Map<Area, Maker>()

function areasOf(areas: readonly Area[], rows: readonly NamedOperation[]): readonly Area[] {
  const named = [...JSON.stringify(rows.map(({ examples }) => examples)).matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, name = '']) => name)
  const credentials = rows.map(({ access, credential }) => (access === 'session' ? 'session' : (credential?.name ?? '')))
  const wanted = new Set([...named, 'site', ...credentials])
  const own = new Set(rows.map(({ area }) => area))
  const kept = new Set<Area>()
  for (const area of [...areas].reverse()) {
    const maker = makers.get(area)
    if (!maker || (!own.has(area.name) && ![...maker.makes].some(name => wanted.has(name)))) continue
    kept.add(area)
    for (const name of maker.needs) wanted.add(name) // of an earlier area
  }
  return areas.filter(area => kept.has(area))
}

async function makeRecords({ app, store, clock }: TestService, areas: readonly Area[]): Promise<World> {
  const id = (kind: IdKind) => makeId(kind, clock.now, randomBytes(14))
  const chance = () => randomBytes(5).toString('hex')
  const [workspace, domain] = [id(workspaceIds.workspace), `${chance()}.example.com`]

  const addMember = async (db: Db, role: Role) => {
    const [memberId, email] = [id(memberIds.member), `${role}-${chance()}@example.com`]
    const accountId = await findOrAddAccount(db, {
      adding: { now: clock.now, newId: id },
      email,
      given: { name: `The ${role}`, provedBy: 'mailbox' },
    })
    await db
      .insertInto('members')
      .values({ id: memberId, workspace_id: workspace, account_id: accountId, role, active: 1, created_at: clock.now })
      .execute()
    return { memberId, accountId, email }
  }
  const issue = (
    db: Db,
    memberId: string,
    permissions: readonly Permission[] = permissionNames,
    rest: { siteIds?: readonly string[]; allowedIps?: readonly string[]; expiresAt?: number; oauthClient?: string } = {},
  ) => issueToken(db, { now: clock.now, random: randomBytes }, { workspaceId: workspace, memberId, name: 'Test', permissions, ...rest })

  const begin = async (db: Db) => {
    await db.insertInto('workspaces').values({ id: workspace, name: 'Acme', created_at: clock.now }).execute()
    const owner = await addMember(db, 'owner')
    const other = await addMember(db, 'editor')
    const { token } = await issue(db, owner.memberId)
    const { row: spare } = await issue(db, other.memberId)

    const ids: Record<string, string> = { workspace, member: other.memberId, token: spare.id, owner: owner.memberId, domain }
    const shown: Record<string, string> = {}
    const common = { db, now: clock.now, domain, newId: id, random: randomBytes, use: app.use }
    for (const area of areas) {
      const [needs, credentials] = [new Set<string>(), new Set<string>()]
      const made = await (await area.example?.())?.example({
        ...common,
        id(name) {
          needs.add(name)
          return ids[name] ?? missing(name)
        },
        shows(credential, token) {
          credentials.add(credential.name)
          shown[credential.name] = token
        },
      })
      Object.assign(ids, made)
      makers.set(area, { makes: new Set([...Object.keys(made ?? {}), ...credentials]), needs })
    }
    const site = await db
      .selectFrom('sites')
      .select('number')
      .where('id', '=', ids.site ?? '')
      .executeTakeFirst()
    return { ids, owner, siteNumber: site?.number ?? 0, token, shown }
  }

  const db = store.write
  return {
    ...(await store.transaction(begin)), // one, as every commit takes time
    async join(role) {
      const member = await addMember(db, role)
      return { ...member, token: (await issue(db, member.memberId)).token }
    },
    async tokenFor(role, { permissions, ...rest } = {}) {
      const { memberId } = await addMember(db, role)
      return (await issue(db, memberId, permissions, rest)).token
    },
    async oauthFor(role) {
      const { memberId } = await addMember(db, role)
      return (await issue(db, memberId, permissionNames, { oauthClient: 'ocl_test', expiresAt: clock.now + 3_600_000 })).token
    },
    async sessionFor(role) {
      const secret = randomBytes(32).toString('base64url')
      await db
        .insertInto('sessions')
        .values(sessionRow({ id: id(sessionIds.session), accountId: (await addMember(db, role)).accountId, secret, now: clock.now }))
        .execute()
      return secret
    },
  }
}

/**
 * Operations that the example world refuses, with the code: its owner has another address and is the only one, there
 * is no mail server, no file is uploaded, its job of channel rules
 * is over, and nothing is sold.
 */
export const refusals: Readonly<Record<string, string>> = {
  account_delete: 'confirmation_mismatch',
  passwords_forgot: 'invalid_state',
  members_leave: 'invalid_state',
  imports_start: 'invalid_state',
  workspace_imports_start: 'invalid_state',
  workspace_exports_cancel: 'invalid_state',
  channel_applications_cancel: 'invalid_state',
  sign_ups_create: 'invalid_state',
  affiliate_apply: 'invalid_state',
  affiliate_update: 'invalid_state',
  status_subscriptions_create: 'invalid_state',
  billing_checkout_create: 'invalid_state',
  billing_portal_create: 'invalid_state',
  email_reports_test: 'invalid_state',
  // No site is offered.
  sites_transfer_accept: 'validation_failed',
  // The example world has one site.
  sites_merge: 'validation_failed',
  sites_merge_preview: 'validation_failed',
  // Visits come by hits, of which the example world has none.
  visits_get: 'not_found',
}

/** The credential that a row is called with: the owner's token, where it asks for no other kind; their session where it asks for that. */
export function tokenOf(world: World, { credential, access }: NamedOperation): string {
  return world.shown[access === 'session' ? 'session' : (credential?.name ?? '')] ?? world.token
}

/** Replaces `{{site}}` and the like by this world's ids, and `example.com` by its domain, since worlds share a database. */
export function fill<T>(value: T, { ids }: World): T {
  return JSON.parse(
    JSON.stringify(value)
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => ids[name] ?? missing(name))
      .replaceAll('example.com', ids.domain ?? 'example.com'),
  )
}

function missing(name: string): never {
  throw new Error(
    `An example names {{${name}}}, which no area has put into the example world: ` +
      'its area.ts wants an `example` whose records answer an id of this name',
  )
}

/** The headers that carry a credential: an API token as a bearer token, a session as a cookie from our own page. */
export const shownAs = (secret: string): Record<string, string> =>
  /^[\w-]{43}$/.test(secret) ? { Cookie: `session=${secret}`, ...ownPage } : { Authorization: `Bearer ${secret}` }
/** Headers of a browser’s requests from our own pages. */
export const ownPage = { Origin: 'http://footfall.test', 'Sec-Fetch-Site': 'same-origin' } as const

/** One request over HTTP, as a client would send it. Writes send `body` as JSON. */
export async function request(
  { web }: TestService,
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const response = await web.request(path, {
    method,
    headers: {
      ...(token ? shownAs(token) : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
  }
}

/** Calls an operation over HTTP, with its flat input distributed to path, query or body. */
export function callHttp(
  service: TestService,
  operation: NamedOperation,
  input: Readonly<Record<string, unknown>>,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(operation.pathInput, name))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name]))) + '.json'
  if (operation.method !== 'GET') {
    const from = operation.ownOrigin ? ownPage : {}
    return request(service, operation.method, path, { token, body: Object.fromEntries(rest), headers: { ...from, ...headers } })
  }
  const query = new URLSearchParams(rest.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
  return request(service, 'GET', `${path}?${query}`, { token, headers })
}

/** Deletes the world's site, as its owner would. */
export const removeSite = (service: TestService, { ids, token }: World): Promise<Reply> =>
  request(service, 'DELETE', `/sites/${ids.site}`, { token, body: { confirm: ids.domain } })
