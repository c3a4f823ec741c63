/** The rules for Prometheus and the dashboards for Grafana name only metrics that exist, and promtool takes rules and metrics. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { before, test } from 'node:test'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { sqlite } from '../support/engines.ts'
import { makeSite, request, startService } from '../support/world.ts'

const folder = 'docs/prometheus'
const rules = fs.readFileSync(`${folder}/rules.yml`, 'utf8')

interface Scraped {
  /** As Prometheus reads it. */
  readonly text: string
  /** The metrics that a site has. */
  readonly ofSite: string
}

async function scrape(): Promise<Scraped> {
  const backups = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-metrics-'))
  const service = await startService(sqlite, { BACKUP_URL: `file:${backups}` })
  try {
    const { ids, token } = await makeSite(service)
    const scheduler = createScheduler(service.app)
    await scheduler.runDue(['backups_make'])
    await scheduler.stop()
    const { text } = await request(service, 'GET', '/metrics')
    const site = await request(service, 'GET', `/sites/${ids.site}/metrics`, { token })
    assert.equal(site.status, 200, site.text)
    return { text, ofSite: site.text }
  } finally {
    await service.close()
    fs.rmSync(backups, { recursive: true, force: true })
  }
}

let scraped: Scraped
before(async () => {
  scraped = await scrape()
})

/** Names of metrics that a text has and the service does not. */
function unknownIn(text: string): string[] {
  const known = new Set([...`${scraped.text}\n${scraped.ofSite}`.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name))
  const named = new Set([...text.matchAll(/\b(footfall|nodejs|process)_\w+/g)].map(([name]) => name))
  return [...named].filter(name => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, '')))
}

test('the rules for Prometheus and the dashboards for Grafana name only metrics that the service has', () => {
  assert.deepEqual(unknownIn(rules), [])
  for (const file of fs.readdirSync('integrations/grafana')) {
    const dashboard = JSON.parse(fs.readFileSync(`integrations/grafana/${file}`, 'utf8'))
    const asked: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    )
    assert.ok(asked.length > 3, file)
    assert.deepEqual(unknownIn(asked.join('\n')), [], file)
  }
})

const isHere = spawnSync('promtool', ['--version']).error === undefined

test('promtool accepts the rules, and they fire when they should', { skip: !isHere && 'promtool is not installed' }, () => {
  for (const args of [
    ['check', 'rules', `${folder}/rules.yml`],
    ['test', 'rules', `${folder}/rules-test.yml`],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  }
})

test('promtool has no complaint about the names and texts of the metrics', { skip: !isHere && 'promtool is not installed' }, () => {
  for (const input of [scraped.text, scraped.ofSite]) {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input })
    assert.equal(status, 0, stdout + stderr)
  }
})
