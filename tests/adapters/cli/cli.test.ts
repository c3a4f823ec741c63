/** The command line: what is typed, what is kept, what is shown, and how it ends. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { tableOf } from '../../../adapters/cli/answer-schema.ts'
import { readArguments } from '../../../adapters/cli/arguments.ts'
import { runCommand } from '../../../adapters/cli/cli.ts'
import { commandIn, commandsOf } from '../../../adapters/cli/commands.ts'
import { exampleLine, exampleWords } from '../../../adapters/cli/example-line.ts'
import { filterOf } from '../../../adapters/cli/filter.ts'
import { commandHelp } from '../../../adapters/cli/help.ts'
import { csvTableOf } from '../../../adapters/http/csv.ts'
import { describeApi, specText } from '../../../adapters/openapi/describe.ts'
import { withPlausibleIds } from '../../../adapters/openapi/examples.ts'
import type { RunProgram } from '../../../adapters/cli/terminal.ts'
import { table } from '../../../operations/index.ts'
import { summaries } from '../../../scripts/command-names.ts'

const api = JSON.parse(specText(describeApi(table)))
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-cli-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const file = path.join(home, '.config/footfall/profiles.json')

interface Asked {
  url: string
  headers: Headers
  body: unknown
}
type Answer = [status: number, body: unknown]

/** Runs a command line: words as a shell gives them. */
async function run(
  words: string | readonly string[],
  {
    answer = [200, { data: {}, meta: {} }],
    env = {},
    stdin = '',
    columns,
    program = () => undefined,
  }: { answer?: Answer; env?: object; stdin?: string; columns?: number; program?: RunProgram } = {},
) {
  const asked: Asked[] = []
  let [out, err] = ['', '']
  const code = await runCommand(typeof words === 'string' ? words.split(' ') : words, {
    env: { ...env },
    home,
    columns,
    timeZone: 'Europe/Berlin',
    out: text => {
      out += text
    },
    err: text => {
      err += text
    },
    stdin: async () => stdin,
    runProgram: program,
    browse: () => assert.fail('opens no browser'),
    openApi: () => api,
    otherCommands: ['serve'],
    fetch: async (url, init) => {
      asked.push({ url, headers: new Headers(init.headers), body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined })
      const [status, body] = answer
      return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', 'Retry-After': '3600' } })
    },
  })
  return { code, out, err, asked }
}
const there = { env: { FOOTFALL_SERVER: 'http://a.test', FOOTFALL_TOKEN: 'pat_env' } }

test('a call takes ids by place or by flag, and values by their types', async () => {
  const { asked, code } = await run(
    [
      'alerts',
      'create',
      'ws_1',
      '--name',
      'Few',
      '--kind=threshold',
      '--site',
      'pa_1',
      '--threshold',
      '-2.5',
      '--no-enabled',
      '--channel-ids',
      'chn_1',
      '--channel-ids',
      'chn_2',
    ],
    there,
  )
  assert.equal(code, 0)
  assert.equal(asked[0]?.url, 'http://a.test/workspaces/ws_1/alerts.json')
  assert.equal(asked[0]?.headers.get('authorization'), 'Bearer pat_env')
  assert.deepEqual(asked[0]?.body, {
    name: 'Few',
    kind: 'threshold',
    site_id: 'pa_1',
    threshold: -2.5,
    enabled: false,
    channel_ids: ['chn_1', 'chn_2'],
  })
  assert.equal((await run('goals get pa_1 gol_1', there)).asked[0]?.url, 'http://a.test/sites/pa_1/goals/gol_1.json')
  assert.equal((await run('goals_get gol_1 --site_id pa_1', there)).asked[0]?.url, 'http://a.test/sites/pa_1/goals/gol_1.json')
})

test('conditions are written like expressions', async () => {
  assert.deepEqual(
    [
      'country is DE',
      'page starts with /blog/a b',
      'source any of Google, Bing',
      'country != DE',
      'property:plan = pro',
      'hostname is_not a.b',
      'x between 1,5',
    ].map(filterOf),
    [
      ['country', 'is', 'DE'],
      ['page', 'starts_with', '/blog/a b'],
      ['source', 'any_of', ['Google', 'Bing']],
      ['country', 'is_not', 'DE'],
      ['property:plan', 'is', 'pro'],
      ['hostname', 'is_not', 'a.b'],
      ['x', 'between', [1, 5]],
    ],
  )
  assert.deepEqual(
    ['property:plan name is pro', 'property:plan name!=a=b', 'property: plan contains is'].map(filterOf),
    [
      ['property:plan name', 'is', 'pro'],
      ['property:plan name', 'is_not', 'a=b'],
      ['property: plan', 'contains', 'is'],
    ],
    'a key may have spaces',
  )
  for (const text of ['country', 'the country is DE', 'property:plan name']) assert.equal(filterOf(text), undefined, text)
  const { asked } = await run(['stats', 'aggregate', 'pa_1', '--filter', 'country is DE', '--filter', 'device is mobile'], there)
  assert.deepEqual(JSON.parse(new URL(asked[0]?.url ?? '').searchParams.get('filters') ?? ''), [
    ['country', 'is', 'DE'],
    ['device', 'is', 'mobile'],
  ])
})

test('all faults of a command line are reported at once, and nothing is sent', async () => {
  const { code, err, asked } = await run('alerts create ws_1 more --thresold x --filter y --threshold', there)
  assert.deepEqual([code, asked], [2, []])
  for (const fault of [
    /--thresold: .*did you mean --threshold\?/,
    /"more" is one argument too many/,
    /--threshold: a value is missing/,
    /--kind is missing/,
  ])
    assert.match(err, fault)
})

test('the faults of the server are named by flag, and the exit says of what kind they are', async () => {
  const refused = (status: number, code: string, details: unknown[] = []): Answer => [status, { error: { code, message: 'No.', details } }]
  const answer = refused(422, 'validation_failed', [{ in: 'body', pointer: '/channel_ids/3', code: 'not_found', message: 'unknown' }])
  const { code, err } = await run('alerts update alr_1 --name x', { ...there, answer })
  assert.deepEqual([code, err], [2, 'footfall alerts update: No. (validation_failed)\n  --channel-ids 3: unknown\n'])
  const ends = [
    [401, 3],
    [403, 3],
    [404, 4],
    [422, 1],
    [429, 5],
    [500, 1],
  ] as const
  for (const [status, expected] of ends)
    assert.equal((await run('sites get pa_1', { ...there, answer: refused(status, 'x') })).code, expected)
  const json = await run('sites get pa_1 --json', { ...there, answer: refused(404, 'not_found') })
  assert.deepEqual([JSON.parse(json.err).error.code, json.out], ['not_found', ''])
})

test('people get tables that fit their terminal, without what would steer it', async () => {
  const data = [
    { id: 'a', name: 'x\u001b[2J\u202ey', count: 5, nested: { deep: null }, rows: [{ z: 1 }] },
    { id: 'bb', name: '日本', count: 12, nested: { deep: 'long enough to be cut' }, rows: [] },
  ]
  const answer: Answer = [200, { data, meta: { page: 1, per_page: 2, total: 4, total_pages: 2 } }]
  const wide = await run('sites list ws_1', { ...there, answer })
  assert.equal(
    wide.out,
    'id  name   count  nested.deep\na   x[2Jy      5  –\nbb  日本      12  long enough to be cut\n(page 1 of 2, 4 in all: --page, --all)\n',
  )
  const narrow = await run('sites list ws_1', { ...there, answer, columns: 20 })
  assert.match(narrow.out, /^id {2}name {3}count\n[^]*--json has 1 more: nested\.deep/)
  const note = { id: 'note_1', empty: null, site_id: 'pa_1jdc0pywnt5051t7vgdg65s', text: 'Hosting outage from 6 to 9 in the evening' }
  const notes: Answer = [200, { data: [note], meta: { page: 1, per_page: 2, total: 1, total_pages: 1 } }]
  const cut = await run('sites list ws_1', { ...there, answer: notes, columns: 40 })
  assert.equal(cut.out, 'id      text\nnote_1  Hosting outage from 6 to 9 in t…\n(--json has 2 more: site_id, empty)\n')
  const json = await run('sites list ws_1 --json', { ...there, answer })
  assert.deepEqual(JSON.parse(json.out), answer[1])
  assert.deepEqual([json.out.includes('\u001b'), json.out.includes('\u202e')], [false, false])
})

test('if a lookup of an id fails for a wrong token, the token is reported, not the id', async () => {
  const answer: Answer = [401, { error: { code: 'invalid_token', message: 'This API token is not known here.', details: [] } }]
  const { code, err } = await run('sites list', { ...there, answer })
  assert.equal(code, 3)
  assert.match(err, /^footfall sites list: This API token is not known here\. \(invalid_token\)\n"footfall login" signs you in/)
  assert.doesNotMatch((await run('alerts create --nam x', there)).err, /workspace-id is missing/)
})

test('only its owner can read a profile, and its token is sent only to its server', async () => {
  const missing = await run('sites list ws_1')
  assert.deepEqual([missing.code, missing.asked], [2, []])
  assert.match(missing.err, /which installation/)
  const made = await run('profile set shop --server https://shop.test/ --token - --workspace ws_9 --site pa_9', { stdin: 'pat_kept\n' })
  assert.deepEqual([made.code, fs.statSync(file).mode & 0o777, fs.statSync(path.dirname(file)).mode & 0o777], [0, 0o600, 0o700])
  fs.chmodSync(file, 0o644)
  await run('profile set other --server http://other.test')
  assert.equal(fs.statSync(file).mode & 0o777, 0o600)

  const { asked } = await run('goals get gol_1')
  assert.deepEqual(
    [asked[0]?.url, asked[0]?.headers.get('authorization')],
    ['https://shop.test/sites/pa_9/goals/gol_1.json', 'Bearer pat_kept'],
  )
  assert.equal((await run('sites list')).asked[0]?.url, 'https://shop.test/workspaces/ws_9/sites.json')
  for (const options of ['--server http://evil.test', '--profile other'])
    assert.equal((await run(`sites get pa_1 ${options}`)).asked[0]?.headers.get('authorization'), null)
  const listed = await run('profile list')
  assert.match(listed.out, /shop +true/)
  assert.doesNotMatch(listed.out, /pat_/)
  await run('profile set shop --server https://shop.test')
  assert.equal((await run('sites get pa_1')).asked[0]?.headers.get('authorization'), 'Bearer pat_kept')
  await run('profile set shop --server https://moved.test')
  assert.equal((await run('sites get pa_1')).asked[0]?.headers.get('authorization'), null)

  assert.equal((await run('sites get pa_1 --profile nobody')).code, 2)
  await run('profile use other')
  assert.equal((await run('sites get pa_1')).asked[0]?.url, 'http://other.test/sites/pa_1.json')
  await run('profile delete other')
  assert.equal((await run('sites get pa_1')).asked[0]?.url, 'https://moved.test/sites/pa_1.json')
  fs.writeFileSync(file, '{')
  const broken = await run('profile list')
  assert.deepEqual([broken.code, /repair it, or delete it/.test(broken.err)], [1, true])
  fs.rmSync(file)
})

test('completion prints the words that may follow', async () => {
  const after = async (...words: string[]) => (await run(['__complete', ...words])).out.split('\n').slice(0, -1)
  assert.deepEqual(await after('aler'), ['alerts'])
  assert.deepEqual(await after('ser'), ['serve'])
  assert.ok((await after('alerts', '')).includes('create'))
  assert.deepEqual(await after('alerts', 'create', '--mess'), [])
  assert.deepEqual(await after('completion', ''), ['bash', 'fish', 'zsh'])
  assert.deepEqual(await after('profile', 'd'), ['delete'])
  assert.deepEqual(await after('alerts', 'create', '--thr'), ['--threshold'])
  assert.deepEqual(await after('alerts', 'create', '--kind', 'thr'), ['threshold'])
  for (const shell of ['bash', 'zsh', 'fish']) assert.match((await run(`completion ${shell}`)).out, /footfall __complete/)
  assert.equal((await run('completion tcsh')).code, 2)
})

for (const shell of ['bash', 'zsh', 'fish']) {
  const isMissing = spawnSync(shell, ['-c', 'true']).status !== 0 && `${shell} is not installed`
  test(`${shell} reads its completion`, { skip: isMissing }, async () => {
    const script = (await run(`completion ${shell}`)).out
    const { status, stderr } = spawnSync(shell, ['-n', '-c', script], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
  })
}

test('help names flags, and a command that is not there the one that was meant', async () => {
  const help = await run('alerts create --help')
  assert.match(help.out, /^Usage: footfall alerts create <workspace-id> \[flags\]/)
  assert.match(help.out, /--kind <text> +Required\./)
  assert.match(help.out, /--workspace-id <text> +Required where the profile has none and there are several\./)
  assert.match((await run('alerts')).out, /alerts create +Create an alert/)
  const unknown = await run('alrets list')
  assert.deepEqual([unknown.code, /did you mean alerts/.test(unknown.err)], [2, true])
})

test('no operation is called like a command of its own', () => {
  const commands = commandsOf(api)
  const begun = new Set(commands.map(({ name }) => name.split(' ')[0]))
  assert.deepEqual(
    ['profile', 'completion', 'commands'].filter(name => begun.has(name)),
    [],
  )
  const own = Object.keys(summaries)
  assert.ok(own.length > 5)
  assert.deepEqual(
    [...own, 'help'].filter(name => commandIn(commands, [name])),
    [],
  )
})

test('an id in a path may be omitted if there is only one record, and a name may replace an id', async () => {
  const [workspace, site] = ['ws_1jdb1b6qsek5qzsabzzw1sd', 'pa_1jdb1b6qs9wqs8py0rte3w9']
  const asked: string[] = []
  const records: Record<string, unknown> = {}
  let sent: unknown
  const typed = async (words: string, sites: readonly object[]) => {
    asked.length = 0
    const lists: Record<string, unknown> = {
      ...records,
      '/workspaces.json': [{ id: workspace, name: 'A' }],
      [`/workspaces/${workspace}/sites.json`]: sites,
    }
    const texts: string[] = []
    const code = await runCommand(words.split(' '), {
      env: there.env,
      home,
      columns: undefined,
      timeZone: 'Europe/Berlin',
      out: text => texts.push(text),
      err: text => texts.push(text),
      stdin: async () => '',
      openApi: () => api,
      runProgram: () => undefined,
      browse: () => undefined,
      otherCommands: [],
      fetch: async (url, { body }) => {
        const { pathname } = new URL(url)
        asked.push(pathname)
        if (typeof body === 'string') sent = JSON.parse(body)
        const data = lists[pathname] ?? []
        return Response.json({ data, meta: { page: 1, per_page: 100, total: Array.isArray(data) ? data.length : 0, total_pages: 1 } })
      },
    })
    return { code, text: texts.join(''), last: asked.at(-1) }
  }
  const one = { id: site, domain: 'a.example.com' }
  const other = { id: 'pa_1jdb1b6qs9wqs8py0rte3w8', domain: 'b.example.com' }
  assert.equal((await typed('goals list', [one])).last, '/sites/a.example.com/goals.json')
  assert.equal((await typed('goals list --site b.example.com', [one, other])).last, '/sites/b.example.com/goals.json')
  assert.deepEqual(asked, ['/sites/b.example.com/goals.json'], 'the server knows domains')
  const missing = await typed('goals list', [one, other])
  assert.deepEqual([missing.code, /--site-id is missing/.test(missing.text)], [2, true])
  assert.equal((await typed('goals list --nope 1', [one])).code, 2)
  assert.deepEqual(asked, [], 'what is wrong otherwise asks nothing')
  // With the id of a site, its domain is looked up: the server resolves names in the input of a path with a domain.
  records[`/sites/${site}.json`] = one
  const named = await typed(`goals get ${site} Signup`, [one])
  assert.deepEqual([asked[0], named.last], [`/sites/${site}.json`, '/sites/a.example.com/goals/Signup.json'])
  records[`/workspaces/${workspace}/alerts.json`] = [{ id: 'alr_1', name: 'Few' }]
  assert.equal((await typed('alerts get Few', [one])).last, '/alerts/alr_1.json')
  await typed(`alerts create --name x --kind no_data --site ${other.id}`, [one, other])
  assert.deepEqual(asked, ['/workspaces.json', `/workspaces/${workspace}/alerts.json`])
  await typed('alerts create --name x --kind no_data --site b.example.com', [one, other])
  assert.deepEqual(sent, { name: 'x', kind: 'no_data', site_id: other.id })
  records[`/workspaces/${workspace}/channels.json`] = [{ id: 'chn_1', name: 'Ops' }]
  await typed('alerts create --name x --kind no_data --channel-ids Ops', [one])
  assert.deepEqual(sent, { name: 'x', kind: 'no_data', channel_ids: ['chn_1'] })
})

test('flags of every command may be anywhere in the line', async () => {
  const expected = 'http://b.test/workspaces/ws_1/sites.json'
  for (const line of [
    '--server http://b.test --json sites list ws_1',
    'sites --server http://b.test --json list ws_1',
    'sites list --server=http://b.test --json ws_1',
    '--json sites --server http://b.test list ws_1',
    'sites list ws_1 --json --server http://b.test',
  ]) {
    const { asked, out, err } = await run(line, there)
    assert.equal(asked[0]?.url, expected, `${line}: ${err}`)
    assert.deepEqual(JSON.parse(out), { data: {}, meta: {} }, line)
  }
  assert.match((await run('--help sites list')).out, /^Usage: footfall sites list/)
  assert.match((await run('--json sitse list', there)).err, /did you mean sites/)
  assert.equal((await run(['__complete', '--json', 'alerts', 'cre'])).out, 'create\n')
})

test('flags of one command may precede its words as well', async () => {
  for (const line of [
    '--per-page 3 sites list ws_1',
    'sites --per-page 3 list ws_1',
    '--server http://b.test sites --per-page=3 list ws_1',
  ]) {
    const { asked, err } = await run(`${line} --server http://b.test`, there)
    assert.equal(asked[0]?.url, 'http://b.test/workspaces/ws_1/sites.json?per_page=3', `${line}: ${err}`)
  }
  assert.match((await run('serve --role list sites list', there)).err, /there is no such command/)
})

test('the notes of a report are lines below it', async () => {
  const message = 'Imported totals are left out.'
  const answer: Answer = [
    200,
    { data: { metrics: { visitors: 3 } }, meta: { notes: [{ code: 'left_out', message: `${message}\u001b[31m` }] } },
  ]
  const { out } = await run('--server http://c.test stats aggregate pa_1', { ...there, answer })
  assert.ok(out.endsWith(`\nNote: ${message}[31m\n`), out)
})

test('whoami shows the caller', async () => {
  const caller = { server: 'http://a.test', email: 'a@b.test', workspace_name: 'Shop', permissions: ['analytics.read', 'content.write'] }
  const { asked, out } = await run('--server http://c.test whoami', { ...there, answer: [200, { data: caller, meta: {} }] })
  assert.equal(asked[0]?.url, 'http://c.test/caller.json')
  assert.match(out, /server +http:\/\/a\.test\nemail +a@b\.test\nworkspace_name +Shop\npermissions +analytics\.read, content\.write\n/)
})

test('people read amounts, durations, shares, sizes and times in their units, programs as the API has them', async () => {
  const rows = [
    { value: '/a', label: '/a', visitors: 1200, bounce_rate: 45.25, visit_duration: 66_000, revenue: 247_513 },
    { value: '/b', label: '/b', visitors: 3, bounce_rate: null, visit_duration: 0, revenue: 0 },
  ]
  const meta = { currency: 'EUR', page: 1, per_page: 100, total: 2, total_pages: 1 }
  const answer: Answer = [200, { data: { rows }, meta }]
  const { out, err } = await run('stats breakdown pa_1 page', { ...there, answer })
  assert.equal(
    out,
    '\nrows\nvalue  label  visitors  bounce_rate  visit_duration    revenue\n' +
      '/a     /a         1200        45.3%           1m 6s  €2,475.13\n' +
      '/b     /b            3            –              0s      €0.00\n',
    err,
  )
  const csv = await run('stats breakdown pa_1 page --csv', { ...there, answer })
  assert.equal(
    csv.out,
    'value,label,visitors,bounce_rate,visit_duration,revenue\r\n/a,/a,1200,45.25,66000,247513\r\n/b,/b,3,,0,0\r\n',
    csv.err,
  )
  const made = { id: 'exp_1', status: 'completed', bytes: 4_210_000, created_at: '2026-07-01T22:30:00Z', finished_at: null }
  const local = await run('exports get pa_1 exp_1', { ...there, answer: [200, { data: made, meta: {} }] })
  assert.match(local.out, /bytes +4\.2 MB\ncreated_at +2026-07-02 00:30\nfinished_at +–\n/)
})

test('--csv prints the one table of an answer, with every page of a list, and says where there is none', async () => {
  const data = [
    { id: 'pa_1', domain: 'a.example.com', name: '=1+1' },
    { id: 'pa_2', domain: 'b.example.com', name: 'B, "b"' },
  ]
  const answer: Answer = [200, { data, meta: { page: 1, per_page: 100, total: 2, total_pages: 1 } }]
  for (const line of ['sites list ws_1 --csv', '--csv sites list ws_1 --all'])
    assert.equal(
      (await run(line, { ...there, answer })).out,
      `id,name,domain\r\npa_1,'=1+1,a.example.com\r\npa_2,"B, ""b""",b.example.com\r\n`,
      line,
    )
  const none = await run('sites get pa_1 --csv', there)
  assert.deepEqual([none.code, none.asked, /not one table/.test(none.err)], [2, [], true])
  const both = await run('sites list ws_1 --csv --json', there)
  assert.deepEqual([both.code, both.asked, /exclude each other/.test(both.err)], [2, [], true])
})

test('--csv has a table wherever HTTP has one, with its columns', () => {
  const commands = new Map(commandsOf(api).map(command => [command.id, command]))
  for (const operation of table.operations.values()) {
    const command = commands.get(operation.id)
    const expected = command && csvTableOf(operation)
    if (!command || !expected) continue
    const { field, columns = [] } = tableOf(command) ?? {}
    assert.deepEqual({ field, columns: columns.filter(name => !operation.secrets.includes(name)) }, expected, operation.id)
  }
})

const ofJq = {
  data: [
    { id: 'pa_1', name: 'A\u202e', tags: ['x'], 'a b': 1 },
    { id: 'pa_2', name: null, tags: [], 'a b': 2 },
  ],
  meta: { total: 2 },
}

test('--jq prints what jq prints for a path, without the program', async () => {
  const answer: Answer = [200, ofJq]
  const paths = [
    ['.data[].id', 'pa_1\npa_2\n'],
    ['.data[].name', 'A\nnull\n'],
    ['.meta.total', '2\n'],
    ['.data[0].tags', '["x"]\n'],
    ['.data[-1]["a b"]', '2\n'],
    ['."data".[0]."a b"', '1\n'],
    ['.data[].tags[]', 'x\n'],
    ['.data[7].id', 'null\n'],
    ['.meta.__proto__', 'null\n'],
    ['.["meta"]', '{"total":2}\n'],
  ] as const
  for (const [path, expected] of paths)
    assert.equal((await run(['sites', 'list', 'ws_1', `--jq=${path}`], { ...there, answer })).out, expected, path)
  for (const [path, fault] of [
    ['.meta.total.x', /Cannot index number with "x"/],
    ['.data.id', /Cannot index array with "id"/],
    ['.data[1].name[]', /Cannot iterate over null/],
    ['.meta[0]', /Cannot index object with number/],
  ] as const) {
    const { code, out, err } = await run(['sites', 'list', 'ws_1', '--jq', path], { ...there, answer })
    assert.deepEqual([code, out, fault.test(err)], [2, '', true], err)
  }
})

test('--jq passes any other filter to the program jq, checks it before the call, and says so if jq is not installed', async () => {
  const answer: Answer = [200, ofJq]
  const given: string[] = []
  const program: RunProgram = (name, args, input) => {
    given.push(`${name} ${args.join(' ')} < ${input.slice(0, 8)}`)
    if (args.join(' ').includes('length('))
      return { code: 3, out: '', err: 'jq: error: syntax error, unexpected end\njq: 1 compile error\n' }
    return { code: 0, out: args[0] === '-n' ? '' : '2\nA\u202e\n', err: '' }
  }
  const done = await run(['sites', 'list', 'ws_1', '--jq', '.data | length'], { ...there, answer, program })
  assert.deepEqual([done.code, done.out], [0, '2\nA\n'])
  assert.deepEqual(given, ['jq -n def filter: (.data | length\n); empty < ', 'jq -r -c  .data | length < {"data":'])
  const wrong = await run(['sites', 'list', 'ws_1', '--jq', '.data | length('], { ...there, answer, program })
  assert.deepEqual([wrong.code, wrong.asked.length], [2, 0])
  assert.match(wrong.err, /--jq: error: syntax error, unexpected end\n/)
  const without = await run(['sites', 'list', 'ws_1', '--jq', 'keys'], { ...there, answer })
  assert.deepEqual([without.code, without.asked.length], [2, 0])
  assert.match(without.err, /jq is not installed\. Install it, or use a path, for example \.data\[\]\.domain/)
})

test('help has the examples of the operation, and each is read back as it was declared', () => {
  const declared = new Map([...table.operations.values()].map(row => [row.id, withPlausibleIds(row, table.ids)]))
  for (const command of commandsOf(api)) {
    const help = commandHelp(command)
    const others = declared.get(command.id)?.examples.slice(command.examples.length) ?? []
    assert.ok(
      others.every(({ input }) => Object.keys(input).length === 0),
      command.id,
    )
    for (const [i, example] of command.examples.entries()) {
      assert.ok(help.includes(`  ${exampleLine(command, example)}`), command.id)
      const { examples, wireFormat } = declared.get(command.id) ?? assert.fail()
      const input = Object.fromEntries(
        Object.entries(examples[i]?.input ?? {}).map(([name, value]) => [wireFormat?.names[name] ?? name, value]),
      )
      const found = commandIn([command], exampleWords(command, example).slice(1)) ?? assert.fail()
      const known = Object.fromEntries(
        ['workspace_id', 'site_id'].flatMap(name => (typeof input[name] === 'string' ? [[name, input[name]]] : [])),
      )
      const read = readArguments(command, found.rest, known)
      assert.deepEqual(read.faults, [], exampleLine(command, example))
      assert.deepEqual(read.input, input, exampleLine(command, example))
    }
  }
})

test('an example is quoted as a shell reads it', { skip: process.platform === 'win32' }, () => {
  const command = commandsOf(api).find(({ id }) => id === 'goals_create') ?? assert.fail()
  const example = { summary: undefined, input: { site_id: 'pa_1', name: `it's $HOME "x" \`y\``, kind: 'page' } }
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${exampleLine(command, example)}`], { encoding: 'utf8' })
  assert.deepEqual(stdout.trimEnd().split('\n'), exampleWords(command, example))
})

test('--version prints the version of the package', () => {
  const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  for (const flag of ['--version', '-V']) {
    const { stdout } = spawnSync(process.execPath, ['dist/footfall.js', flag], { encoding: 'utf8' })
    assert.ok(stdout.startsWith(`footfall ${version} (`), stdout)
  }
})
