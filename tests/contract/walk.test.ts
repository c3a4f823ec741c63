/**
 * The examples of CONTRIBUTING and docs/engine.md work: put into a copy of the sources, they compile, pass the architecture's rules and
 * run. With any part left out, an error names the missing part.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'

const guide = ['CONTRIBUTING.md', 'docs/engine.md'].map(file => fs.readFileSync(file, 'utf8')).join('\n')
const copied = ['adapters', 'operations', 'runtime', 'storage', 'tests', 'scripts', 'tracker', 'package.json', 'tsconfig.json']
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-walk-'))

/** The example with this name: its file and its code. */
function example(name: string): { file: string; code: string } {
  const [, file = '', code = ''] = new RegExp(`<!-- ${name}: (\\S+) -->\\n\`\`\`tsx?\\n([^]*?)\`\`\``).exec(guide) ?? []
  assert.ok(file && code, `CONTRIBUTING or docs/engine.md has the example "${name}"`)
  return { file, code }
}

const [operation, row, area, view] = ['operation', 'row', 'area', 'view'].map(example)
type Change = readonly [file: string, from: string, to: string]

const derived = example('derived')

const list = 'operations/index.ts'
const step = "  '2026-12-01-1-greetings': { adds: ['greetings'] },\n"
const steps: readonly Change[] = [
  [derived.file, '  weekday: {\n', `${derived.code}  weekday: {\n`],
  [
    list,
    '\nexport const table',
    "import ages from './sites/ages/area.ts'\nimport greetings from './sites/greetings/area.ts'\n\nexport const table",
  ],
  [list, '  collection,\n', '  collection,\n  ages,\n  greetings,\n'],
  ['operations/sites/notes/area.ts', '  ids,\n', "  views: () => import('./pages.tsx'),\n  ids,\n"],
  [
    'storage/tables/index.ts',
    "import * as hits from './hits.ts'\n",
    "import * as greetings from './greetings.ts'\nimport * as hits from './hits.ts'\n",
  ],
  ['storage/tables/index.ts', '  ...hits,\n', '  ...greetings,\n  ...hits,\n'],
  ['storage/migrations/steps.ts', '\n}\n', `\n${step}}\n`],
]

function change([file, from, to]: Change): void {
  const there = path.join(folder, file)
  const text = fs.readFileSync(there, 'utf8')
  assert.ok(text.includes(from), `${file} has ${JSON.stringify(from)}`)
  fs.writeFileSync(
    there,
    text.replace(from, () => to),
  )
}

const run = promisify(execFile)
/** Output of a program in the copy, whether it fails or not. */
async function output(...args: string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // an independent run, not a part of this one
  const ended = await run(process.execPath, args, { cwd: folder, env }).catch((failed: { stdout: string; stderr: string }) => failed)
  return ended.stdout + ended.stderr
}
const walk = () => output('--import', 'tsx', 'tests/contract/walking.ts')
const house = () => output('--import', 'tsx', '--test', '--test-reporter=tap', 'tests/contract/house.test.ts')

before(() => {
  for (const each of copied) fs.cpSync(each, path.join(folder, each), { recursive: true })
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  for (const each of [operation, row, area, view]) {
    const file = path.join(folder, each?.file ?? assert.fail())
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, each?.code ?? assert.fail())
  }
  for (const step of steps) change(step)
})
after(() => fs.rmSync(folder, { recursive: true, force: true }))

describe('the examples of CONTRIBUTING', () => {
  let once: Promise<string> | undefined
  const walked = () => (once ??= walk())

  test('compile', async () => assert.equal(await output('node_modules/typescript-native/bin/tsc', '--noEmit'), ''))

  test('keep to the rules of the house', async () => {
    const said = await house()
    assert.match(said, /^# tests \d+/m)
    assert.doesNotMatch(said, /greetings|ages\//)
  })

  test('work out a dimension from another, in a breakdown and a filter', async () => {
    const { handheld, kept } = JSON.parse(await walked())
    assert.deepEqual(handheld, [
      ['yes', 2],
      ['no', 1],
    ])
    assert.equal(kept, 2)
  })

  test('run: an operation, a table, an id, an event, a task and a setting', async () => {
    const { age, sent, got, forgotten, events, webhooks } = JSON.parse(await walked())
    assert.deepEqual([age[0], age[1].age, age[1].unit], [200, 2, 'hours'])
    assert.deepEqual([sent[0], sent[1].text], [201, 'Hello'])
    assert.match(sent[1].id, /^grt_/)
    assert.deepEqual([got[0], got[1].text], [200, 'Hello'])
    assert.deepEqual(events, [{ type: 'greeting.sent' }])
    assert.ok(webhooks.includes('greeting.sent'))
    assert.deepEqual([forgotten[0], forgotten[1].code], [404, 'not_found'])
  })

  test('show a record with its view', async () => {
    const { shown } = JSON.parse(await walked())
    assert.match(shown, /<article class="card">\s*<time datetime="/)
  })
})

describe('a part that is forgotten is told of', () => {
  const file = area?.file ?? ''
  const without = (line: string): Change => [file, line, '']
  type Part = readonly [what: string, change: readonly Change[], sentence: RegExp]
  /** Each run, with the parts that it checks. */
  const runs: ReadonlyArray<readonly [ask: () => Promise<string>, parts: readonly Part[]]> = [
    [
      house,
      [
        [
          'the table',
          [without("  tables: ['greetings'],\n")],
          /area\.ts writes greetings: operations\/sites\/greetings\/area\.ts does not declare it in tables/,
        ],
        ['the id', [without('  ids,\n')], /makes ids that begin with grt_, and operations\/sites\/greetings\/area\.ts does not bring them/],
        ['the event', [without('  events: { greeting_sent },\n')], /declares greeting_sent, and .* does not bring it among its events/],
        ['the task', [without('  tasks: { greetings_forget },\n')], /declares greetings_forget, and .* does not bring it among its tasks/],
        [
          'the setting',
          [without('  settings: { GREETING_DAYS },\n')],
          /declares GREETING_DAYS, and .* does not bring it among its settings/,
        ],
        [
          'an operation',
          [[file, 'greetings_create, greetings_get }', 'greetings_create }']],
          /declares greetings_get, and .* does not bring it among its operations/,
        ],
        [
          'the views',
          [['operations/sites/notes/area.ts', "  views: () => import('./pages.tsx'),\n", '']],
          /notes\/pages\.tsx declares note, and .* does not bring it among its views/,
        ],
        [
          'a permission to write',
          [[file, "access: 'content.write'", "access: 'analytics.read'"]],
          /greetings_create: its effect is "create", and analytics\.read is for reading/,
        ],
      ],
    ],
    [
      house,
      [
        [
          'the line in the list',
          [
            [list, '  greetings,\n', ''],
            [list, "import greetings from './sites/greetings/area.ts'\n", ''],
          ],
          /operations\/sites\/greetings\/area\.ts is not in operations\/index\.ts/,
        ],
      ],
    ],
    [walk, [['the step', [['storage/migrations/steps.ts', step, '']], /greetings.*: no step in storage\/migrations\/steps\.ts adds what/]]],
    [
      walk,
      [
        [
          'the example record',
          [[file, '      return { greeting }\n', '      return {}\n']],
          /^An example names \{\{greeting\}\}, which no area has put into the example world/,
        ],
      ],
    ],
    [
      walk,
      [
        [
          'the examples of an operation',
          [without("  examples: [{ input: { site_id: '{{site}}', text: 'Hello' } }],\n")],
          /The table of operations is wrong:\n {2}greetings_create: has no example/,
        ],
      ],
    ],
  ]
  for (const [ask, parts] of runs) {
    test(parts.map(([what]) => what).join(', '), async () => {
      const changes = parts.flatMap(([, changes]) => changes)
      const touched = new Map(changes.map(([file]) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]))
      for (const each of changes) change(each)
      try {
        const said = await ask()
        for (const [what, , sentence] of parts) assert.match(said, sentence, what)
        if (ask === walk) assert.doesNotMatch(said, /\n {4}at /, 'and no stack')
      } finally {
        for (const [file, text] of touched) fs.writeFileSync(path.join(folder, file), text)
      }
    })
  }
})
