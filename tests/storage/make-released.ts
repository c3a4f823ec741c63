/**
 * Makes the databases of a release for `released.test.ts`, by running that release: hits of five days, settings, people,
 * and the answers of its API. With a checkout of the release in which `npm ci` has run:
 *
 *     node --import tsx tests/storage/make-released.ts --checkout ../footfall-0.6.0
 *
 * It needs the programs of Postgres 13 or later and `sqlite3`. Nothing of it depends on the clock but the dates of hits, which are stored with the answers.
 */
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import zlib from 'node:zlib'
import { Command } from 'commander'
import { startOwnPostgres } from '../support/postgres.ts'
import { root } from '../../scripts/build/root.ts'

const { checkout, out } = new Command('make-released')
  .requiredOption('--checkout <folder>', 'a checkout of the release, installed')
  .option('--out <folder>', 'where to write', path.join(root, 'tests/storage/releases'))
  .parse()
  .opts<{ checkout: string; out: string }>()

const DAY = 86_400_000
const SECRET_KEY = 'the key of the databases of releases'
const DAYS = 5
const domain = 'shop.example.com'
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
]
const pages = ['/', '/a%20b', '/pricing', '/checkout/42/thanks', '/blog/über']
const referrers = ['', 'https://www.google.com/', 'https://news.ycombinator.com/item?id=1', 'https://shop.example.com/']
/** Of the first second of the first day that has hits. */
const first = (Math.floor(Date.now() / DAY) - DAYS - 1) * DAY
const dateOf = (day: number) => new Date(first + day * DAY).toISOString().slice(0, '2026-01-01'.length)

interface Made {
  readonly workspace_id: string
  readonly site_id: string
  readonly token: string
}

async function make(name: string, url: string): Promise<void> {
  const spec = fs.readFileSync(path.join(checkout, 'spec/openapi.json'), 'utf8')
  const has = (operation: string) => spec.includes(`"operationId": "${operation}"`)
  const env = {
    ...process.env,
    DATABASE_URL: url,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    FILES_URL: `file:${work}/files`,
    HITS_SPOOL: 'off',
    RATE_TOKEN: '0',
    SECRET_KEY,
  }
  const asked = ['--email', 'ada@example.com', '--workspace', 'Acme', '--site', domain, '--timezone', 'Europe/Berlin', '--json']
  const printed = execFileSync('npm', ['run', '-s', 'setup', '--', ...asked], { cwd: checkout, env, encoding: 'utf8' })
  const made = JSON.parse(printed.slice(printed.indexOf('{'))) as Made // as `setup --json` prints it
  const service = await start(env)
  try {
    const call = async (method: string, at: string, body?: unknown) => {
      const headers = { Authorization: `Bearer ${made.token}`, 'Content-Type': 'application/json' }
      const answer = await fetch(service.address + at, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${text.slice(0, 500)}`)
      return text.startsWith('{') ? JSON.parse(text) : text
    }
    await settings({ ...made, has, call })
    await hits(call)
    await setTimeout(15_000) // sealed days are sealed
    await call('POST', '/api/event', hit(DAYS, 0)) // one that is newer than what was sealed
    const answers: Record<string, unknown> = {}
    for (const at of reads({ ...made, has })) answers[at.replace('.json', '')] = (await call('GET', at)).data
    const { workspace_id, site_id, token } = made
    const facts = { version, key: SECRET_KEY, at: Date.now(), workspace_id, site_id, token, answers }
    pack(`${name}.json`, Buffer.from(JSON.stringify(facts)))
  } finally {
    await service.end()
  }
}

interface Calling extends Made {
  has(operation: string): boolean
  call(method: string, at: string, body?: unknown): Promise<any>
}

async function settings({ workspace_id, site_id, has, call }: Calling): Promise<void> {
  const site = `/sites/${site_id}`
  const workspace = `/workspaces/${workspace_id}`
  const create = async (operation: string, at: string, body: unknown) =>
    has(operation) ? (await call('POST', `${at}.json`, body)).data.id : undefined
  await call('PATCH', `${site}.json`, { name: 'Shop', currency: 'EUR' })
  const goal = await create('goals_create', `${site}/goals`, { kind: 'page', path: '/checkout/*/thanks', name: 'Order' })
  await create('goals_create', `${site}/goals`, { kind: 'event', event: 'Signup', property: 'plan', value: 'pro' })
  await create('notes_create', `${site}/notes`, { text: 'Outage', at: `${dateOf(1)}T09:30:00Z` })
  await create('segments_create', `${site}/segments`, { name: 'Phones', filters: [['device', 'is', 'mobile']] })
  const channel = await create('channels_create', `${workspace}/channels`, {
    name: 'On call',
    kind: 'email',
    emails: ['on-call@example.com'],
  })
  const few = { name: 'Few visitors', kind: 'threshold', site_id, metric: 'visitors', operator: 'lt', threshold: 10 }
  await create('alerts_create', `${workspace}/alerts`, { ...few, channel_ids: [channel] })
  await create('webhooks_create', `${workspace}/webhooks`, { url: 'https://hooks.example.com/footfall', events: ['alert.triggered'] })
  const check = await create('uptime_checks_create', `${site}/uptime`, {
    url: 'https://shop.example.com/',
    ...(has('status_pages_create') && { public: true }),
  })
  await call('POST', `/uptime/checks/${check}/pause.json`, {})
  await create('funnels_create', `${site}/funnels`, { name: 'Purchase', steps: [{ path: '/pricing' }, { goal_id: goal }] })
  const cards = [{ type: 'metric', site_id, title: 'Days', params: { period: '7d', metric: 'visitors' } }]
  await create('dashboards_create', `${workspace}/dashboards`, { name: 'Mornings', cards })
  await create('invitations_create', `${workspace}/invitations`, { email: 'grace@example.com', role: 'editor' })
  await create('traffic_rules_create', `${site}/traffic_rules`, { kind: 'page', value: '/preview/*' })
  const partner = { channel: 'Partners', match: 'any', conditions: [{ field: 'utm_source', operator: 'is', value: 'partner' }] }
  await create('channel_rules_create', `${site}/channel_rules`, partner)
  await create('campaigns_create', `${site}/campaigns`, { name: 'Summer sale', utm_campaign: 'summer' })
  const groups = [{ name: 'Website', checks: [{ check_id: check, label: 'Shop' }] }]
  await create('status_pages_create', `${workspace}/status_pages`, { name: 'Acme', groups })
  await create('shared_links_create', `${site}/shared_links`, { name: 'Client', password: 'river-stone' })
  await create('email_reports_create', `${workspace}/email_reports`, {
    name: 'Our week',
    site_ids: [site_id],
    recipients: ['team@example.com'],
  })
}

/** @param i number of the visitor of that day */
function hit(day: number, i: number, step = 0): Record<string, unknown> {
  const page = pages[(i + step) % pages.length] ?? '/'
  const url = `https://${domain}${page}${i % 4 === 0 && step === 0 ? '?utm_source=partner&utm_medium=email&utm_campaign=summer' : ''}`
  const at = first + day * DAY + 9 * 3_600_000 + i * 600_000 + step * 60_000
  return {
    name: 'pageview',
    url,
    domain,
    referrer: step === 0 ? referrers[i % referrers.length] : '',
    ip: `81.2.69.${100 + i}`,
    user_agent: agents[i % agents.length],
    timestamp: new Date(at).toISOString(),
  }
}

async function hits(call: Calling['call']): Promise<void> {
  for (let day = 0; day < DAYS; day++) {
    for (let i = 0; i < 8 + day; i++) {
      for (let step = 0; step <= i % 3; step++) await call('POST', '/api/event', hit(day, i, step))
      if (i % 2 === 0)
        await call('POST', '/api/event', { ...hit(day, i, 1), name: 'Signup', props: { plan: i % 4 === 0 ? 'pro' : 'free' } })
      if (i % 5 === 0)
        await call('POST', '/api/event', { ...hit(day, i, 2), name: 'Purchase', revenue: { currency: 'EUR', amount: 12.5 + i } })
    }
  }
}

/** The reads that are compared after the upgrade: reports with their dates, and lists of settings. */
function reads({ workspace_id, site_id, has }: Made & Pick<Calling, 'has'>): string[] {
  const site = `/sites/${site_id}`
  const workspace = `/workspaces/${workspace_id}`
  const range = `period=custom&from=${dateOf(0)}&to=${dateOf(DAYS)}`
  const filter = `&filters=${encodeURIComponent(JSON.stringify([['device', 'is', 'mobile']]))}`
  const dimensions = [
    'page',
    'entry_page',
    'exit_page',
    'source',
    'channel',
    'utm_campaign',
    'device',
    'browser',
    'os',
    'country',
    'goal',
    'event',
  ]
  const lists: Readonly<Record<string, string>> = {
    goals_list: `${site}/goals`,
    notes_list: `${site}/notes`,
    segments_list: `${site}/segments`,
    funnels_list: `${site}/funnels`,
    traffic_rules_list: `${site}/traffic_rules`,
    channel_rules_list: `${site}/channel_rules`,
    campaigns_list: `${site}/campaigns`,
    shared_links_list: `${site}/shared_links`,
    uptime_checks_list: `${site}/uptime`,
    alerts_list: `${workspace}/alerts`,
    channels_list: `${workspace}/channels`,
    webhooks_list: `${workspace}/webhooks`,
    dashboards_list: `${workspace}/dashboards`,
    members_list: `${workspace}/members`,
    invitations_list: `${workspace}/invitations`,
    status_pages_list: `${workspace}/status_pages`,
    email_reports_list: `${workspace}/email_reports`,
    api_tokens_list: `${workspace}/api_tokens`,
    sites_list: `${workspace}/sites`,
    workspaces_list: '/workspaces',
  }
  const isThere = (dimension: string) => fs.readFileSync(path.join(checkout, 'spec/openapi.json'), 'utf8').includes(`"${dimension}"`)
  return [
    `${site}/stats/aggregate.json?${range}`,
    `${site}/stats/aggregate.json?${range}${filter}`,
    `${site}/stats/timeseries.json?${range}&interval=day`,
    `${site}/stats/timeseries.json?period=custom&from=${dateOf(1)}&to=${dateOf(1)}&interval=hour`,
    ...dimensions.filter(isThere).map(dimension => `${site}/breakdown/${dimension}.json?${range}&limit=50`),
    ...(has('events_list') ? [`${site}/events.json?${range}`] : []),
    ...Object.entries(lists)
      .filter(([operation]) => has(operation))
      .map(([, at]) => `${at}.json`),
  ]
}

async function start(env: NodeJS.ProcessEnv): Promise<{ address: string; end(): Promise<void> }> {
  const child = spawn('npm', ['start', '--silent'], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const address = await new Promise<string>((found, failed) => {
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += String(chunk)
      const [at] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? []
      if (at) found(at)
    })
    void ended.then(() => failed(new Error(`the release did not start:\n${printed}`)))
  })
  return {
    address,
    async end() {
      if (child.pid) process.kill(-child.pid, 'SIGTERM') // npm and the service
      await ended
      await setTimeout(1_000)
    },
  }
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-released-'))
const { version } = JSON.parse(fs.readFileSync(path.join(checkout, 'package.json'), 'utf8')) as { version: string } // our own
const pack = (name: string, content: Buffer) => {
  const packed = zlib.brotliCompressSync(content, { params: { [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } })
  fs.writeFileSync(path.join(out, `${version}.${name}.br`), packed)
  process.stdout.write(`${version} ${name}: ${content.length} bytes, ${packed.length} packed\n`)
}
async function main(): Promise<void> {
  // The programs that `pg_dump` comes with: it refuses a newer server.
  const postgres = await startOwnPostgres({ programs: execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim() })
  try {
    fs.mkdirSync(out, { recursive: true })
    const file = path.join(work, 'footfall.db')
    await make('sqlite', `file:${file}`)
    execFileSync('sqlite3', [file, 'pragma journal_mode = delete; vacuum'])
    pack('sqlite', fs.readFileSync(file))
    const url = Object.assign(new URL(postgres.url), { pathname: '/released' }).href
    execFileSync('psql', ['-qc', 'create database released', postgres.url])
    await make('postgres', url)
    const dump = execFileSync('pg_dump', ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', '--no-comments', url])
    pack('postgres', Buffer.from(String(dump).replace(/^(--.*|\\.*|SET .*)?\n/gm, '')))
  } finally {
    await postgres.stop()
    fs.rmSync(work, { recursive: true, force: true })
  }
}

void main()
