/** The command line: what is typed, what is kept, what is shown, and how it ends. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '../../../adapters/cli/cli.ts'
import { commandIn, commandsOf } from '../../../adapters/cli/commands.ts'
import { filterOf } from '../../../adapters/cli/filter.ts'
import { describeApi, specText } from '../../../adapters/openapi/describe.ts'
import { table } from '../../../operations/index.ts'

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
  }: { answer?: Answer; env?: object; stdin?: string; columns?: number } = {},
) {
  const asked: Asked[] = []
  let [out, err] = ['', '']
  const code = await runCommand(typeof words === 'string' ? words.split(' ') : words, {
    env: { ...env },
    home,
    columns,
    out: text => {
      out += text
    },
    err: text => {
      err += text
    },
    stdin: async () => stdin,
    browse: () => assert.fail('opens no browser'),
    document: () => api,
    others: ['serve'],
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
      'a',
      '--channel-ids',
      'b',
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
    channel_ids: ['a', 'b'],
  })
  assert.equal((await run('goals get pa_1 gol_1', there)).asked[0]?.url, 'http://a.test/sites/pa_1/goals/gol_1.json')
  assert.equal((await run('goals_get gol_1 --site_id pa_1', there)).asked[0]?.url, 'http://a.test/sites/pa_1/goals/gol_1.json')
})

test('conditions are written as they are said', async () => {
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
  assert.equal(filterOf('country'), undefined)
  const { asked } = await run(['stats', 'aggregate', 'pa_1', '--filter', 'country is DE', '--filter', 'device is mobile'], there)
  assert.deepEqual(JSON.parse(new URL(asked[0]?.url ?? '').searchParams.get('filters') ?? ''), [
    ['country', 'is', 'DE'],
    ['device', 'is', 'mobile'],
  ])
})

test('all faults of a line are told at once, and nothing is sent', async () => {
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

test('where an id is looked up, a wrong token is told as such, and no id as missing', async () => {
  const answer: Answer = [401, { error: { code: 'invalid_token', message: 'This API token is not known here.', details: [] } }]
  const { code, err } = await run('sites list', { ...there, answer })
  assert.equal(code, 3)
  assert.match(err, /^footfall sites list: This API token is not known here\. \(invalid_token\)\n"footfall login" signs you in/)
  assert.doesNotMatch((await run('alerts create --nam x', there)).err, /workspace-id is missing/)
})

test('a profile is kept for its owner alone, and its token goes to its server alone', async () => {
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

test('shells are told what may follow', async () => {
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
  const own = [...fs.readFileSync('scripts/footfall.ts', 'utf8').matchAll(/^ {2}'?([a-z-]+)'?: \{ summary/gm)].map(([, name = '']) => name)
  assert.ok(own.length > 5)
  assert.deepEqual(
    [...own, 'help'].filter(name => commandIn(commands, [name])),
    [],
  )
})

test('what a path names may be left out where there is one of it, and a site be named by its domain', async () => {
  const [workspace, site] = ['ws_1jdb1b6qsek5qzsabzzw1sd', 'pa_1jdb1b6qs9wqs8py0rte3w9']
  const asked: string[] = []
  const typed = async (words: string, sites: readonly object[]) => {
    asked.length = 0
    const lists = { '/workspaces.json': [{ id: workspace, name: 'A' }], [`/workspaces/${workspace}/sites.json`]: sites }
    const texts: string[] = []
    const code = await runCommand(words.split(' '), {
      env: there.env,
      home,
      columns: undefined,
      out: text => texts.push(text),
      err: text => texts.push(text),
      stdin: async () => '',
      document: () => api,
      browse: () => undefined,
      others: [],
      fetch: async url => {
        const { pathname } = new URL(url)
        asked.push(pathname)
        const data = lists[pathname] ?? []
        return Response.json({ data, meta: { page: 1, per_page: 100, total: data.length, total_pages: 1 } })
      },
    })
    return { code, text: texts.join(''), last: asked.at(-1) }
  }
  const one = { id: site, domain: 'a.example.com' }
  const other = { id: 'pa_1jdb1b6qs9wqs8py0rte3w8', domain: 'b.example.com' }
  assert.equal((await typed('goals list', [one])).last, `/sites/${site}/goals.json`)
  assert.equal((await typed('goals list --site b.example.com', [one, other])).last, `/sites/${other.id}/goals.json`)
  const missing = await typed('goals list', [one, other])
  assert.deepEqual([missing.code, /--site-id is missing/.test(missing.text)], [2, true])
  assert.equal((await typed('goals list --nope 1', [one])).code, 2)
  assert.deepEqual(asked, [], 'what is wrong otherwise asks nothing')
})
