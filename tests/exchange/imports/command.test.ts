/** `npm run import` as a user runs it, and killed repeatedly. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { setUp } from '../../../operations/service/setup/set-up.ts'
import type { Store } from '../../../storage/store.ts'
import { chanceOf } from '../../support/chance.ts'
import { isFull, someOf } from '../../support/full.ts'
import { ranHere } from '../../support/command.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { filesBeside } from '../../support/files.ts'
import { creationServices } from '../../../scripts/machine.ts'

const kills = isFull ? 5 : 1
const chance = chanceOf('import command')
const hits = isFull ? 6_000 : 3_000
const script = ['scripts/run.mjs', 'import']
const run = async (args: readonly string[], url: string) => {
  const { status, ...printed } = await ranHere('import', args, { DATABASE_URL: url, FILES_URL: `file:${filesBeside(url)}` })
  return { code: status, ...printed }
}

async function site(store: Store): Promise<string> {
  const made = await setUp(
    store,
    { email: 'a@example.com', workspace: 'A', site: 'example.com', timezone: 'Europe/Berlin' },
    await creationServices(),
  )
  return made.site_id
}
const started = Date.UTC(2025, 2, 1)
const line = (i: number) =>
  `${JSON.stringify({
    url: `/${i}`,
    visitor: `v${i % 97}`,
    timestamp: started + i * 60_000,
    name: i % 6 === 5 ? 'Buy' : 'pageview',
    props: { filler: 'x'.repeat(1000) },
  })}\n`

onAnyEngine('the import command', engine => {
  test('has each hit once, however often it is killed', async () => {
    const { store, url, drop } = await engine.create()
    const folder = mkdtempSync(path.join(tmpdir(), 'footfall-import-'))
    const file = path.join(folder, 'hits.ndjson.gz')
    writeFileSync(file, gzipSync(Array.from({ length: hits }, (_, i) => line(i)).join(''), { level: 1 }))
    const id = await site(store)
    const taken = async () => (await store.read.selectFrom('hit_imports').select('records').executeTakeFirst())?.records ?? 0

    const seen = [0]
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, [...script, file, '--site', id], {
        env: { ...process.env, DATABASE_URL: url, FILES_URL: `file:${filesBeside(url)}` },
        stdio: 'ignore',
      })
      const ended = new Promise(resolve => child.once('exit', resolve))
      const target = (await taken()) + chance.int(1, hits / 4)
      while ((await taken()) < target && child.exitCode === null) await new Promise(resolve => setTimeout(resolve, 2))
      child.kill('SIGKILL')
      await ended
      seen.push(await taken())
    }
    assert.ok(
      seen.some(records => records > 0 && records < hits),
      `killed at ${seen.join(', ')}`,
    )
    const last = await run([file, '--site', id], url)
    assert.match(last.stdout, new RegExp(`${hits.toLocaleString('en')} hits, 0 refused`), last.stderr)

    const [counts] = (
      await sql<{ rows: number; pages: number; from: number; to: number }>`
      select count(*) as rows, count(distinct page) as pages, min(at) as "from", max(at) as "to" from hits`.execute(store.read)
    ).rows
    assert.deepEqual({ ...counts }, { rows: hits, pages: hits, from: started, to: started + (hits - 1) * 60_000 })
    const { rows: wrong } = await sql`
      select v.visit_id from visits v left join (
        select day, visit_id, min(at) as first_at, max(at) as last_at, count(*) as hits from hits group by day, visit_id
      ) h on h.day = v.day and h.visit_id = v.visit_id
      where h.hits is null or v.started_at <> h.first_at or v.duration <> h.last_at - h.first_at or v.pageviews + v.events <> h.hits`.execute(
      store.read,
    )
    assert.deepEqual(wrong, [])
    assert.deepEqual((await sql`select day from visitors union all select day from salts`.execute(store.read)).rows, [])
    rmSync(folder, { recursive: true, force: true })
    await drop()
  })

  test('the import command lists refused lines, prints a summary, and notifies webhooks', async () => {
    const { store, url, drop } = await engine.create()
    const folder = mkdtempSync(path.join(tmpdir(), 'footfall-import-'))
    const file = path.join(folder, 'hits.csv')
    writeFileSync(file, `\ufefftimestamp,url,visitor,size\n${started},/,v,1\nsoon,/,v,1\n${started},"/a"b,v\n`)
    const id = await site(store)
    const { workspace_id } = await store.read.selectFrom('sites').select('workspace_id').executeTakeFirstOrThrow()
    await store.write
      .insertInto('webhooks')
      .values({
        id: 'wh_1',
        workspace_id,
        url: 'https://hooks.example.com',
        events: '["import.completed","import.failed"]',
        enabled: 1,
        secret: '',
        previous_secret: null,
        previous_until: null,
        consecutive_failures: 0,
        failing_since: null,
        last_success_at: null,
        last_failure_at: null,
        created_at: Date.now(),
      })
      .execute()
    const first = await run([file, '--site', id], url)
    assert.deepEqual([first.code, first.stdout], [0, `1 hits, 2 refused\nRefused lines, with their reasons: ${file}.refused.csv\n`])
    assert.match(first.stderr, /Not read: size/)
    assert.equal(
      readFileSync(`${file}.refused.csv`, 'utf8'),
      [
        'line,reason',
        '3,"timestamp must be ISO 8601, or epoch seconds or milliseconds"',
        '4,"the record has 3 fields, the header 4"',
        '',
      ].join('\n'),
    )
    assert.match((await run([file, '--site', id], url)).stdout, /imported before: 1 hits, 2 refused. Nothing was added/)

    const other = path.join(folder, 'other.csv')
    writeFileSync(other, `when,url,visitor\n${started},/,v\n${started},/,w\n`)
    const failed = await run([other, '--site', id], url)
    assert.deepEqual(
      [failed.code, failed.stderr],
      [1, 'The file needs columns for timestamp; it has when, url, visitor. Name them in map: timestamp = …\n'],
    )
    assert.match((await run([other, '--site', id, '--map', 'timestamp=when', '--overlap', 'add'], url)).stdout, /^2 hits, 0 refused/)
    const refused = path.join(folder, 'refused.csv')
    writeFileSync(refused, 'timestamp,url,visitor\nsoon,/,v\nlater,/,w\n')
    const nothing =
      /^No row can be imported: 2 rows were refused\. The most frequent reason: timestamp must be ISO 8601, or epoch seconds or milliseconds\.$/m
    for (const source of [[], ['--source', 'footfall']]) {
      const none = await run([refused, '--site', id, ...source], url)
      assert.equal(none.code, 1)
      assert.match(none.stderr, nothing)
    }
    assert.match(readFileSync(`${refused}.refused.csv`, 'utf8'), /^line,reason\n2,"timestamp .*\n3,"timestamp .*\n$/)
    const deliveries = await store.read
      .selectFrom('webhook_deliveries')
      .select(['event', 'status', 'payload'])
      .orderBy('created_at')
      .execute()
    assert.deepEqual(
      deliveries.map(({ event, status, payload }) => [event, status, JSON.parse(payload).site_id, JSON.parse(payload).data.rows]),
      [
        ['import.completed', 'pending', id, 1],
        ['import.failed', 'pending', id, undefined],
        ['import.completed', 'pending', id, 2],
        ['import.failed', 'pending', id, undefined],
        ['import.failed', 'pending', id, undefined],
      ],
    )

    const wrong: readonly (readonly [args: readonly string[], message: RegExp, exit?: number])[] = [
      [[file, '--site', 'pa_none'], /^There is no site "pa_none"\n$/],
      [[file, '--site', id, '--timezone', 'Mars/Olympus'], /^--timezone "Mars\/Olympus" is not an IANA time zone like Europe\/Berlin\n$/],
      [[file, '--site', id, '--map', 'x=y'], /^--map must be a comma-separated list of field=column; received "x=y"/],
      [[path.join(folder, 'none.csv'), '--site', id], /none\.csv cannot be read: ENOENT/],
      [[file], /required option '--site <id>'/, 2],
    ]
    for (const [args, message, exit = 1] of someOf(wrong, 2)) {
      const { code, stderr } = await run(args, url)
      assert.equal(code, exit)
      assert.match(stderr, message)
    }
    assert.ok(!existsSync(path.join(folder, 'none.csv.refused.csv')))
    rmSync(folder, { recursive: true, force: true })
    await drop()
  })
})
