/**
 * A small world to call operations in: a workspace with people, a site and one of everything, and beside it a foreign
 * workspace with the same. Each test makes its own; they share a database.
 */
import { randomBytes } from 'node:crypto'
import { issueToken } from '../../operations/people/tokens/issue.ts'
import { table } from '../../operations/index.ts'
import { createWeb, type Web } from '../../adapters/http/http.ts'
import { mounts } from '../../adapters/index.ts'
import { type App, createApp } from '../../runtime/app.ts'
import { type Config, readConfig } from '../../runtime/config.ts'
import { type IdKind, makeId } from '../../runtime/ids.ts'
import { openLog } from '../../runtime/log.ts'
import { type Permission, permissionNames, type Role } from '../../runtime/permissions.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import type { Store } from '../../storage/store.ts'
import type { Engine } from './engines.ts'
import { addDashboard } from './dashboards.ts'
import { addUptime } from './uptime.ts'
import { addWebhook } from './webhooks.ts'

export interface TestService {
  readonly app: App
  readonly web: Web
  readonly store: Store
  readonly url: string
  /** The service's clock; tests move it. */
  readonly clock: { now: number }
  close(): Promise<void>
}

export interface Reply {
  status: number
  headers: Headers
  body: any // tests look inside freely
  text: string
}

/** The whole service on a new database, without a socket. No rate limits unless asked for. */
export async function startService(engine: Engine, config: Partial<Config> = {}): Promise<TestService> {
  const { store, url, drop } = await engine.create()
  const clock = { now: Date.parse('2026-03-10T12:00:00Z') }
  const app = createApp({
    store, table, now: () => clock.now, random: randomBytes, log: openLog(process.env.LOG_LEVEL ?? 'fatal'),
    config: { ...readConfig({ RATE_TOKEN: '0', RATE_ANONYMOUS: '0', RATE_FAILURES: '0', RATE_FAILURES_ADDRESS: '0', RATE_COSTLY: '0', BASE_URL: 'http://footfall.test' }), ...config },
  })
  return { app, store, url, clock, web: createWeb(app, mounts), close: async () => { await app.close(); await drop() } }
}

export interface World {
  /** What `{{name}}` in an example stands for. */
  readonly ids: Readonly<Record<string, string>>
  readonly owner: { memberId: string; email: string; accountId: string }
  readonly siteNumber: number
  /** The owner's token with every permission. */
  readonly token: string
  /** Tokens of other kinds, by what shows them. */
  readonly shown: Readonly<Record<string, string>>
  /** A new member in this role, with a token for everything the role may do. */
  join(role: Role): Promise<{ memberId: string; accountId: string; email: string; token: string }>
  /** A token of a new member in this role, with these permissions and sites. */
  tokenFor(role: Role, grant?: { permissions?: readonly Permission[]; siteIds?: readonly string[]; allowedIps?: readonly string[]; expiresAt?: number }): Promise<string>
}

export async function makeWorld({ app, store, clock }: TestService): Promise<World> {
  const db = store.write
  const id = (kind: IdKind) => makeId(kind, clock.now, randomBytes(14))
  const chance = () => randomBytes(5).toString('hex')
  const [workspace, site, domain] = [id('workspace'), id('site'), `${chance()}.example.com`]
  await db.insertInto('workspaces').values({ id: workspace, name: 'Acme', created_at: clock.now }).execute()

  const addMember = async (role: Role) => {
    const [accountId, memberId, email] = [id('account'), id('member'), `${role}-${chance()}@example.com`]
    await db.insertInto('accounts').values({
      id: accountId, email, unconfirmed_email: null, name: `The ${role}`, theme: 'system', default_landing: 'sites', locale: 'en', timezone: null,
      shortcuts_enabled: 1, reduce_motion: 0, product_emails: 1, newsletter: 0, marketing_emails: 1, two_factor: 0, passkeys: 0, created_at: clock.now,
    }).execute()
    await db.insertInto('members').values({ id: memberId, workspace_id: workspace, account_id: accountId, role, active: 1, created_at: clock.now }).execute()
    return { memberId, accountId, email }
  }
  const owner = await addMember('owner')
  const other = await addMember('editor')
  const issue = (memberId: string, permissions: readonly Permission[] = permissionNames, rest: { siteIds?: readonly string[]; allowedIps?: readonly string[]; expiresAt?: number } = {}) =>
    issueToken(db, { now: clock.now, random: randomBytes }, { workspaceId: workspace, memberId, name: 'Test', permissions, ...rest })
  const { token } = await issue(owner.memberId)
  const { row: spare } = await issue(other.memberId)

  await db.insertInto('sites').values({
    id: site, workspace_id: workspace, name: 'Example', domain, timezone: 'Europe/Berlin', currency: 'EUR',
    public: 1, week_start: 1, umami_id: null, created_at: clock.now, deleted_at: null,
  }).execute()
  const { number: siteNumber } = await db.selectFrom('sites').select('number').where('id', '=', site).executeTakeFirstOrThrow()
  const [note, goal, segment, alert, channel] = [id('note'), id('goal'), id('segment'), id('alert'), id('channel')]
  await db.insertInto('notes').values({ id: note, site_id: site, at: clock.now, text: 'Deployed 2.0', author: owner.email, created_at: clock.now, updated_at: clock.now }).execute()
  await db.insertInto('goals').values({ id: goal, site_id: site, name: 'Signup', kind: 'event', path: null, event: 'Signup', property: null, value: null, created_at: clock.now, updated_at: clock.now }).execute()
  await db.insertInto('saved_segments').values({ id: segment, site_id: site, name: 'Germany', filters: JSON.stringify([['country', 'is', 'DE']]), created_at: clock.now, updated_at: clock.now }).execute()
  await db.insertInto('alerts').values({
    id: alert, workspace_id: workspace, site_id: site, name: 'Traffic drop', kind: 'threshold', metric: 'visitors', operator: 'lt', threshold: 10, window_minutes: 60,
    sensitivity: 'medium', goal_id: null, uptime_check_id: null, channel_ids: '[]', state: 'triggered', enabled: 1, muted_until: null,
    last_triggered_at: clock.now, last_evaluated_at: null, created_at: clock.now,
  }).execute()
  await db.insertInto('alert_incidents').values({ id: id('incident'), alert_id: alert, triggered_at: clock.now, resolved_at: null, value: 3, message: 'visitors 3 < 10', acknowledged_at: null, acknowledged_by: null }).execute()

  await db.insertInto('channels').values({
    id: channel, workspace_id: workspace, name: 'On call', kind: 'email', target: JSON.stringify([`on-call@${domain}`]), created_at: clock.now, updated_at: clock.now,
  }).execute()

  const webhooks = await addWebhook(app, clock.now, workspace, domain)
  const uptime = await addUptime(db, clock.now, workspace, site, domain)

  const dashboards = await addDashboard(db, clock.now, workspace, site)

  return {
    ids: { ...uptime.ids, ...dashboards, ...webhooks, workspace, site, note, goal, segment, alert, channel, member: other.memberId, token: spare.id, owner: owner.memberId, domain },
    owner, siteNumber, token, shown: { probe: uptime.probeToken },
    async join(role) {
      const member = await addMember(role)
      return { ...member, token: (await issue(member.memberId)).token }
    },
    async tokenFor(role, { permissions, ...rest } = {}) {
      const { memberId } = await addMember(role)
      return (await issue(memberId, permissions, rest)).token
    },
  }
}

/** The token that a row is called with: the owner's, where it asks for no other kind. */
export function tokenOf(world: World, { credential }: NamedOperation): string {
  return (credential && world.shown[credential.name]) ?? world.token
}

/** Puts this world's ids where an example says `{{site}}`, and its domain for `example.com`: worlds share a database. */
export function fill<T>(value: T, { ids }: World): T {
  return JSON.parse(JSON.stringify(value)
    .replace(/\{\{(\w+)\}\}/g, (text, name: string) => ids[name] ?? text)
    .replaceAll('example.com', ids.domain ?? 'example.com'))
}

/** One request over HTTP, as a client would send it. Writes send `body` as JSON. */
export async function request({ web }: TestService, method: string, path: string, { token, body, headers = {} }: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {}): Promise<Reply> {
  const response = await web.request(path, {
    method,
    headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined }
}

/** An operation over HTTP, its flat input put where the route wants it: path, query or body. */
export function callHttp(service: TestService, operation: NamedOperation, input: Readonly<Record<string, unknown>>, token: string | undefined, headers: Record<string, string> = {}): Promise<Reply> {
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(operation.pathInput, name))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name]))) + '.json'
  if (operation.method !== 'GET') return request(service, operation.method, path, { token, body: Object.fromEntries(rest), headers })
  const query = new URLSearchParams(rest.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
  return request(service, 'GET', `${path}?${query}`, { token, headers })
}
