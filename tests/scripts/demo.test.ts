/** The demo: the same traffic every time, with data for every report. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { cardTypes } from '../../operations/reports/dashboards/records.ts'
import { compiled, equalShares } from '../../operations/reports/experiments/significance.ts'
import { fill } from '../../scripts/demo/fill.ts'
import { makeRecords } from '../../scripts/demo/records.ts'
import { traffic } from '../../scripts/demo/traffic.ts'
import { watchShop } from '../../scripts/demo/uptime.ts'
import { localDay } from '../../storage/calendar/zones.ts'
import { randomBytes } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { testIfFull } from '../support/full.ts'
import { makeWorld, startService } from '../support/world.ts'

const zone = 'Europe/Berlin'
const plan = { site: 1, zone, hits: 4_000, today: 20_777, seed: 7 }
const digest = (wish: typeof plan) => {
  const hash = createHash('sha256')
  for (const hits of traffic(wish)) hash.update(JSON.stringify(hits))
  return hash.digest('hex')
}

test('the same seed makes the same hits, another others', () => {
  const few = { ...plan, hits: 1_000 }
  const made = digest(few)
  assert.equal(digest(few), made)
  assert.notEqual(digest({ ...few, seed: 8 }), made)
})

test('customers change nothing else of the traffic, and most buyers are known', () => {
  const without = [...traffic(plan)].flat()
  const named = [...traffic({ ...plan, hashOf: id => id })].flat()
  assert.deepEqual(
    named.map(({ user: _, ...hit }) => hit),
    without,
  )
  const buyers = named.filter(({ revenue }) => revenue > 0)
  assert.ok(buyers.filter(({ user }) => user).length > buyers.length / 2)
  assert.ok(without.every(({ user }) => !user))
})

test('there are about as many as were asked for, on every day, and all within their day', () => {
  let [days, counted] = [0, 0]
  for (const hits of traffic({ ...plan, hits: 20_000 })) {
    const day = plan.today - 729 + days++
    assert.ok(hits.length > 0)
    assert.ok(hits.every(({ at }) => localDay(zone, at).day === day))
    counted += hits.filter(({ kind }) => kind === 'pageview' || kind === 'event').length
  }
  assert.equal(days, 730)
  assert.ok(counted > 18_000 && counted < 22_000, `${counted}`)
})

test('visitors of the experiment are split evenly, and each stays with one variant', async () => {
  const shown = new Map<string, Set<string>>()
  let day = 0
  for (const hits of traffic({ ...plan, hits: 60_000 })) {
    day++
    for (const { identity, props } of hits) {
      const variant = props.find(([key]) => key === 'variant')?.[1]
      const visitor = `${day} ${identity.userAgent}`
      if (variant) shown.set(visitor, (shown.get(visitor) ?? new Set()).add(variant))
    }
  }
  assert.ok([...shown.values()].every(variants => variants.size === 1))
  const sizes = ['control', 'one-step'].map(variant => [...shown.values()].filter(variants => variants.has(variant)).length)
  await compiled
  const split = equalShares(sizes)
  assert.ok(split && split.p > 0.5 && Math.min(...sizes) > 600, `${sizes}: ${split?.p}`)
})

onAnyEngine('the demo', engine => {
  test('every report has something to show', async () => {
    const service = await startService(engine)
    service.clock.now = Date.parse('2026-11-20T15:00:00Z')
    const { ids, token, siteNumber } = await makeWorld(service)
    const place = { workspace: ids.workspace ?? '', site: ids.site ?? '', token }
    await makeRecords(service.web, place, service.clock.now)
    await watchShop(service, { place, now: service.clock.now, seed: plan.seed })
    const stored = await fill(service.store, {
      ...plan,
      site: siteNumber,
      hits: 9_000,
      today: localDay(zone, service.clock.now).day,
      now: () => service.clock.now,
      randomBytes,
      hashOf: id => id,
      onProgress() {},
    })
    const ask = async (path: string) => {
      const answer = await service.web.request(path, { headers: { Authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 200, await answer.clone().text())
      return (await answer.json()).data
    }
    const get = (path: string) => ask(`/sites/${ids.site}/${path}`)
    const { metrics } = await get('stats/aggregate.json?period=all')
    assert.ok(metrics.pageviews > 0 && metrics.pageviews <= stored)
    assert.ok(metrics.revenue > 0 && metrics.bounce_rate > 20 && metrics.bounce_rate < 80 && metrics.visit_duration > 10_000)
    for (const dimension of [
      'channel',
      'source',
      'utm_campaign',
      'page',
      'country',
      'city',
      'device',
      'browser',
      'event',
      'goal',
      'property:variant',
      'property:plan',
    ]) {
      const { rows } = await get(`breakdown/${dimension}.json?period=all`)
      assert.ok(rows.length >= 2, dimension)
    }
    const { rows: campaigns } = await get('breakdown/utm_campaign.json?period=all&sort=revenue')
    assert.ok(campaigns.filter(({ value, revenue }: { value: string; revenue: number }) => value !== '' && revenue > 0).length >= 2)
    const { rows: completed } = await get('breakdown/goal.json?period=all')
    assert.ok(completed.filter((row: { conversion_rate: number }) => row.conversion_rate > 0).length >= 4)
    const alerts: { kind: string }[] = await get('alerts.json')
    assert.ok(['anomaly', 'goal', 'no_data'].every(kind => alerts.some(alert => alert.kind === kind)))
    await showsDashboards(ask, ids.workspace ?? '')
    const goals: { id: string; name: string }[] = await get('goals.json')
    const purchase = goals.find(({ name }) => name === 'Purchase')?.id
    const { rows: variants, sample_ratio } = await get(`experiments.json?period=all&property=variant&goal_id=${purchase}`)
    assert.notEqual(sample_ratio.result, 'uneven')
    assert.deepEqual(variants.map((row: { value: string }) => row.value).sort(), ['control', 'one-step'])
    assert.ok((await get('insights.json?period=30d')).rows.length > 0)
    assert.ok((await get(`journeys.json?period=all&mode=reverse&goal_id=${purchase}`)).visits > 0)
    const { cohorts: returning } = await get('retention.json?period=12mo&interval=month')
    assert.ok(
      returning.some(({ cells }: { cells: { people: number }[] }) => (cells[1]?.people ?? 0) > 0),
      'customers come back',
    )
    const { rows: credited } = await get(`attribution.json?period=90d&goal_id=${purchase}`)
    assert.ok(credited.length > 2 && (await get('people.json')).length > 10)
    const home = await get('pages/detail.json?period=all&path=/')
    for (const part of ['previous', 'next', 'sources', 'vitals']) assert.ok(home[part].length > 1, part)
    assert.ok(home.scroll.visits > 0 && home.clicks.clicks > 0)
    const shown = (await get('events.json?period=all')).rows.map((row: { label: string }) => row.label)
    assert.ok(shown.includes('Saw an experiment') && !shown.includes('experiment'))
    assert.equal((await get('notes.json')).length, 6) // including the note of the test world

    for (const table of ['vitals', 'clicks'] as const) {
      assert.ok(
        await service.store.read.selectFrom(table).select('day').where('site_id', '=', siteNumber).limit(1).executeTakeFirst(),
        table,
      )
    }
    const [salts] = await service.store.read
      .selectFrom('salts')
      .select(({ fn }) => fn.countAll<number>().as('days'))
      .where('site_id', '=', siteNumber)
      .execute()
    assert.ok((salts?.days ?? 9) <= 3, 'old visitors are forgotten')
    await service.close()
  })
})

interface Shown {
  readonly id: string
  readonly name: string
  readonly cards: readonly { readonly type: string }[]
}

/** Every type of card is used, and has data. */
async function showsDashboards(ask: (path: string) => Promise<any>, workspace: string) {
  const folder = `/workspaces/${workspace}/dashboards`
  const all: Shown[] = await ask(`${folder}.json`)
  const ours = all.filter(({ name }) => name !== 'Overview') // without the dashboard of the test world
  assert.deepEqual(new Set(ours.flatMap(({ cards }) => cards.map(({ type }) => type))), new Set(cardTypes))
  for (const { id, cards } of ours) {
    for (const [i, { type }] of cards.entries()) {
      const card = await ask(`${folder}/${id}/cards/${i}.json`)
      const something: Record<string, () => unknown> = {
        metric: () => card.metrics[card.metric] > 0,
        chart: () => card.series.some((point: Record<string, number>) => (point[card.metric] ?? 0) > 0),
        breakdown: () => card.rows.length > 1,
        table: () => card.rows.length > 4 && card.rows[0].values.length === 2 && card.rows[0].visitors > 0,
        goal: () => card.rows.length > 4,
        live: () => card.series.length === 30,
        funnel: () => card.rows.length > 2 && card.rows.at(-1).visitors > 0 && card.rows[0].visitors > card.rows.at(-1).visitors,
        uptime: () => card.checks.some((check: { uptime: { '30d': number } }) => check.uptime['30d'] > 99 && check.uptime['30d'] < 100),
        vitals: () => card.rows.every((row: { samples: number; devices: unknown[] }) => row.samples > 0 && row.devices.length > 1),
      }
      assert.ok(something[type]?.(), `${type}: ${JSON.stringify(card).slice(0, 1_000)}`)
    }
  }
}

testIfFull('npm run demo fills and serves, prints what npm start prints, and never overwrites', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'footfall-demo-'))
  const { DATABASE_URL: _, FILES_URL: __, ...around } = process.env
  const env = { ...around, PORT: '0', LOG_LEVEL: 'silent' }
  const run = path.resolve('scripts/run.mjs')
  const demo = (...args: string[]) =>
    spawnSync(process.execPath, [run, 'demo', '--fill-only', ...args], { env, cwd: folder, encoding: 'utf8' })
  const child = spawn(process.execPath, [run, 'demo', '--hits', '2000'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise(resolve => child.once('exit', resolve))
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += String(chunk)
  })
  let output = ''
  await new Promise<void>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', line => {
      output += `${line}\n`
      if (line.startsWith('API reference')) found()
    })
    void ended.then(() => failed(new Error(errors)))
  })
  const [, token = '', url = ''] = /curl -H 'Authorization: Bearer (pat_\w+)' '([^']+)'/.exec(output) ?? []
  assert.match(output, /pa_\w+ {2}\(garden\.example\.com\)/)
  assert.match(errors, /\d hits in \d+ s/)
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  assert.ok((await answer.json()).data.metrics.visitors > 0)
  const [, database = '', email = ''] = /another link:\s+DATABASE_URL=(\S+) npm run -s sign-in-link -- --email (\S+)\)/.exec(output) ?? []
  const link = spawnSync(process.execPath, [run, 'sign-in-link', '--email', email], {
    env: { ...env, DATABASE_URL: database },
    cwd: folder,
    encoding: 'utf8',
  })
  assert.match(link.stdout, /\/links\/[\w-]{43}\n$/, link.stderr)
  child.kill('SIGTERM')
  assert.equal(await ended, 0)

  const kept = demo('--hits', '1000')
  assert.deepEqual([kept.status, /--fresh creates a new one/.test(kept.stderr)], [0, true], kept.stderr)
  assert.equal(demo('--hits', 'many').status, 1)
  const fresh = demo('--hits', '1000', '--fresh')
  assert.equal(fresh.status, 0, fresh.stderr)
  assert.ok(existsSync(`${folder}/data/demo.db`))
  rmSync(folder, { recursive: true, force: true })
})
