/**
 * A small world to call operations in: a workspace with people, and in it what each area brings as its example. Each
 * test makes its own; they share a database.
 */
import { randomBytes } from 'node:crypto'
import { ids as accountIds } from '../../operations/people/account/records.ts'
import { ids as memberIds } from '../../operations/people/members/records.ts'
import { issueToken } from '../../operations/people/tokens/issue.ts'
import { ids as workspaceIds } from '../../operations/people/workspaces/records.ts'
import { table } from '../../operations/index.ts'
import { createWeb, type Web } from '../../adapters/http/http.ts'
import { mounts } from '../../adapters/index.ts'
import { type App, createApp } from '../../runtime/app.ts'
import { readConfig } from '../../runtime/config.ts'
import { type IdKind, makeId } from '../../runtime/ids.ts'
import { openLog } from '../../runtime/log.ts'
import { type Permission, permissionNames, type Role } from '../../runtime/permissions.ts'
import { checkTables } from '../../runtime/check-tables.ts'
import type { ExampleWorld } from '../../runtime/example.ts'
import type { NamedOperation, Table } from '../../runtime/table.ts'
import type { Store } from '../../storage/store.ts'
import type { Engine } from './engines.ts'

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

/** Settings by name, as the environment has them or as what their text comes to. */
export type Settings = Readonly<Record<string, string | number | readonly string[]>>

const quiet = {
  RATE_TOKEN: '0',
  RATE_ANONYMOUS: '0',
  RATE_FAILURES: '0',
  RATE_FAILURES_ADDRESS: '0',
  RATE_COSTLY: '0',
  RATE_BATCH: '0',
  BASE_URL: 'http://footfall.test',
}

/**
 * The whole service on a new database, without a socket. No rate limits unless asked for.
 * @param brought the table, where it is another than the service's
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
    config: readConfig({ ...quiet, ...given }, brought.settings),
  })
  return {
    app,
    store,
    url,
    clock,
    web: createWeb(app, mounts),
    close: async () => {
      await app.close()
      await drop()
    },
  }
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
  tokenFor(
    role: Role,
    grant?: { permissions?: readonly Permission[]; siteIds?: readonly string[]; allowedIps?: readonly string[]; expiresAt?: number },
  ): Promise<string>
}

export async function makeWorld({ app, store, clock }: TestService): Promise<World> {
  const db = store.write
  const id = (kind: IdKind) => makeId(kind, clock.now, randomBytes(14))
  const chance = () => randomBytes(5).toString('hex')
  const [workspace, domain] = [id(workspaceIds.workspace), `${chance()}.example.com`]
  await db.insertInto('workspaces').values({ id: workspace, name: 'Acme', created_at: clock.now }).execute()

  const addMember = async (role: Role) => {
    const [accountId, memberId, email] = [id(accountIds.account), id(memberIds.member), `${role}-${chance()}@example.com`]
    await db
      .insertInto('accounts')
      .values({
        id: accountId,
        email,
        unconfirmed_email: null,
        name: `The ${role}`,
        theme: 'system',
        default_landing: 'sites',
        locale: 'en',
        timezone: null,
        shortcuts_enabled: 1,
        reduce_motion: 0,
        product_emails: 1,
        newsletter: 0,
        marketing_emails: 1,
        two_factor: 0,
        passkeys: 0,
        created_at: clock.now,
      })
      .execute()
    await db
      .insertInto('members')
      .values({ id: memberId, workspace_id: workspace, account_id: accountId, role, active: 1, created_at: clock.now })
      .execute()
    return { memberId, accountId, email }
  }
  const owner = await addMember('owner')
  const other = await addMember('editor')
  const issue = (
    memberId: string,
    permissions: readonly Permission[] = permissionNames,
    rest: { siteIds?: readonly string[]; allowedIps?: readonly string[]; expiresAt?: number } = {},
  ) => issueToken(db, { now: clock.now, random: randomBytes }, { workspaceId: workspace, memberId, name: 'Test', permissions, ...rest })
  const { token } = await issue(owner.memberId)
  const { row: spare } = await issue(other.memberId)

  const ids: Record<string, string> = { workspace, member: other.memberId, token: spare.id, owner: owner.memberId, domain }
  const shown: Record<string, string> = {}
  const example: ExampleWorld = {
    db,
    now: clock.now,
    domain,
    newId: id,
    random: randomBytes,
    use: app.use,
    id: name => ids[name] ?? missing(name),
    shows(credential, token) {
      shown[credential.name] = token
    },
  }
  for (const area of app.table.areas) Object.assign(ids, await (await area.example?.())?.example(example))
  const site = await db
    .selectFrom('sites')
    .select('number')
    .where('id', '=', ids.site ?? '')
    .executeTakeFirst()

  return {
    ids,
    owner,
    siteNumber: site?.number ?? 0,
    token,
    shown,
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
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
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

/** An operation over HTTP, its flat input put where the route wants it: path, query or body. */
export function callHttp(
  service: TestService,
  operation: NamedOperation,
  input: Readonly<Record<string, unknown>>,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const rest = Object.entries(input).filter(([name]) => !Object.hasOwn(operation.pathInput, name))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name]))) + '.json'
  if (operation.method !== 'GET') return request(service, operation.method, path, { token, body: Object.fromEntries(rest), headers })
  const query = new URLSearchParams(rest.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
  return request(service, 'GET', `${path}?${query}`, { token, headers })
}
