/** The rules for Prometheus name only metrics that exist, and promtool takes them, with their own tests. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const folder = 'docs/prometheus'
const rules = fs.readFileSync(`${folder}/rules.yml`, 'utf8')

function* sourcesIn(folder: string): Generator<string> {
  for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(file)) yield fs.readFileSync(path.join(folder, file), 'utf8')
}

test('the rules for Prometheus name only metrics that the service has', () => {
  const sources = [...sourcesIn('runtime'), ...sourcesIn('operations'), ...sourcesIn('adapters'), ...sourcesIn('storage')]
  const named = new Set([...rules.matchAll(/\bfootfall_(\w+)/g)].map(([, name = '']) => name))
  assert.ok(named.size > 5)
  const isDeclared = (name: string) => sources.some(text => text.includes(`'${name}'`) || text.includes(` ${name}: `))
  assert.deepEqual(
    [...named].filter(name => !isDeclared(name)),
    [],
  )
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
