/** Statements that run for each hit, each report and each look at the tasks begin with a comment that leads to their place. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { openFile } from '../../storage/dialects/sqlite-library.ts'
import { openEngine } from '../../storage/engine/index.ts'
import { claimable } from '../../runtime/tasks/task-rows.ts'
import { onEachEngine } from '../support/engines.ts'
import { addSite, hit, store as keep } from './engine/traffic.ts'
import { statements } from './statements.ts'

const floors = ['storage', 'runtime', 'operations']
const sources = floors.flatMap(floor =>
  fs
    .readdirSync(floor, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => `${floor}/${file}`),
)

/** Where each name is, with `…` for the part that varies. */
const places = sources.flatMap(file => {
  const text = fs.readFileSync(file, 'utf8')
  const inCalls = [...text.matchAll(/(?:prepared\(|runNamed\([\w.]+,)\s*['`]([^'`]+)['`]/g)]
  const inSql = [...text.matchAll(/\/\*(?: rows)? ([\w/-]+\.[\w-]+) \*\//g)]
  const ofRows = /row-statements\.ts'/.test(text) ? [...text.matchAll(/\bname: ['`]([^'`]+)['`],\s*(?:table|columns)\b/g)] : []
  return [...inCalls, ...inSql, ...ofRows].map(([, name = '']) => ({ name: name.replace(/\$\{\w+\}/g, '…'), file }))
})

test('the name of a statement begins with the file that has it, and only one statement has it', () => {
  for (const { name, file } of places) {
    assert.ok(`/${file}`.endsWith(`/${name.split('.')[0]}.ts`), `${file} names a statement ${name}: its name begins with the file`)
    assert.deepEqual([...new Set(places.filter(other => other.name === name).map(other => other.file))], [file], name)
  }
  for (const file of sources) {
    const text = fs.readFileSync(file, 'utf8')
    const unnamed = text.match(/(?<!function )\b(?:prepared|insertInto|statement)(?:<[^()]*>)?\((?:store|\(db)/g) ?? []
    const named = text.match(/\bname: ['`][\w-]+\./g) ?? []
    if (file !== 'storage/sql/row-statements.ts') assert.ok(unnamed.length <= named.length, `${file} has a statement without a name`)
  }
})

/** Statements without a place: of transactions, and what SQLite is asked about itself. */
const isOfTransaction = (text: string) => /^(begin|commit|rollback|start transaction|savepoint|release|pragma|prepare|execute)\b/.test(text)

onEachEngine('statements', engine => {
  test('of hits, reports and tasks begin with their names', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    const at = Date.parse('2026-05-05T12:00Z')
    const day = Math.floor(at / 86_400_000)
    const run = async () => {
      await keep(store, [
        hit(site, { at, who: 'anna' }),
        hit(site, { at: at + 1_000, who: 'anna', page: '/next', kind: 'vitals', vitals: { lcp: 2 } }),
      ])
      const analytics = openEngine(store, { threads: 0 })
      const span = { from: at - 3_600_000, to: at + 3_600_000, fromDay: day, toDay: day, whole: true }
      await analytics.query({
        site: site.number,
        where: [],
        goals: [],
        asked: { report: 'page', path: '/', span, compared: null, limit: 1 },
      })
      await analytics.close()
      await claimable(store.read)
    }
    const asked = engine.name === 'postgres' ? (await statements(run)).asked : await preparedBySqlite(run)
    const own = asked.map(text => text.trim()).filter(text => !isOfTransaction(text))
    const nameOf = (text: string) => /^\/\*(?: rows)? ([\w/-]+\.[\w-]+) \*\//.exec(text)?.[1]
    assert.deepEqual([...new Set(own.filter(text => nameOf(text) === undefined))], [])
    // A statement may have others as its parts.
    const names = new Set(own.flatMap(text => [...text.matchAll(/\/\*(?: rows)? ([\w/-]+\.[\w-]+) \*\//g)].map(([, name]) => name)))
    for (const name of [
      'hit-rows.hits',
      'visit-rows.put',
      'visitors.find',
      'dictionary-ids.find',
      'days.spans',
      'read-days.texts',
      'task-rows.all',
    ])
      assert.ok(names.has(name), `${name} is among ${[...names].join(', ')}`)
    await drop()
  })
})

/** The statements that SQLite prepares meanwhile. */
async function preparedBySqlite(run: () => Promise<void>): Promise<string[]> {
  const memory = openFile(':memory:')
  const prototype = Object.getPrototypeOf(memory) as { prepare(text: string): unknown }
  memory.close()
  const { prepare } = prototype
  const asked: string[] = []
  prototype.prepare = function (this: unknown, text: string) {
    asked.push(text)
    return prepare.call(this, text)
  }
  try {
    await run()
  } finally {
    prototype.prepare = prepare
  }
  return asked
}
