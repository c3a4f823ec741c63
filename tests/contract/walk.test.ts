/**
 * CONTRIBUTING and docs/engine.md work: in a copy of the checkout, `npm run new` and the examples of these pages give code that
 * compiles, passes the tests and runs. With any part left out, an error names the missing part. Only a full run (`--full`) compiles
 * the copy and runs `npm test` in it.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { build, type BuildContext, context, stop } from 'esbuild'
import { programs, threads } from '../../scripts/build/options.ts'
import { testIfFull, testIfFullOr } from '../support/full.ts'
import { installed, tools } from '../../tools/paths.mjs'

const guide = ['CONTRIBUTING.md', 'docs/engine.md'].map(file => fs.readFileSync(file, 'utf8')).join('\n')
/** The copy has no build, and no test that makes a copy again. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-walk-'))

/** The example with this name: its file and its code. */
function example(name: string): { file: string; code: string } {
  const [, file = '', code = ''] = new RegExp(`<!-- ${name}: (\\S+) -->\\n\`\`\`tsx?\\n([^]*?)\`\`\``).exec(guide) ?? []
  assert.ok(file && code, `CONTRIBUTING or docs/engine.md has the example "${name}"`)
  return { file, code }
}

const [operation, report, view, derived] = [example('operation'), example('report'), example('view'), example('derived')]
type Change = readonly [file: string, from: string, to: string]

const list = 'operations/index.ts'
const changes: readonly Change[] = [
  [derived.file, '  weekday: {\n', `${derived.code}  weekday: {\n`],
  [
    list,
    '\nexport const table',
    "import ages from './sites/ages/area.ts'\nimport weekends from './reports/weekends/area.ts'\n\nexport const table",
  ],
  [list, '  collection,\n', '  collection,\n  ages,\n'],
  [list, '  attribution,\n', '  attribution,\n  weekends,\n'],
  ['tests/adapters/mcp/cost.test.ts', "'retention_get', ", "'retention_get', 'weekends_get', "],
]

const inCopy = (file: string) => path.join(folder, file)
const readCopy = (file: string) => fs.readFileSync(inCopy(file), 'utf8')

function change([file, from, to]: Change): void {
  const text = readCopy(file)
  assert.ok(text.includes(from), `${file} has ${JSON.stringify(from)}`)
  fs.writeFileSync(
    inCopy(file),
    text.replace(from, () => to),
  )
}

/** The areas of the examples. */
const added = /greetings|ages\/|weekends/

const run = promisify(execFile)
/** An independent run, not a part of this one. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:NODE_TEST_|TEST_|SEED$)/.test(name)))
/** Output of a program in the copy, whether it fails or not. */
async function output(...args: string[]): Promise<string> {
  const ended = await run(process.execPath, args, { cwd: folder, env: { ...environment, ENGINE: 'sqlite' }, maxBuffer: 1e8 }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  return ended.stdout + ended.stderr
}
/** The names of all tests that failed, and what fits of their errors. */
const failuresIn = (report: string): string =>
  [...(report.match(/^ *✖ .*/gm) ?? []), report.replace(/^[^]*(?=✖ failing tests)/, '').slice(0, 5_000)].join('\n')

const script = (name: string, ...args: string[]) => output('--import', 'tsx', `scripts/${name}.ts`, ...args)

/** Programs of the copy, bundled: from its sources each would spend five seconds on a loader. */
let bundle: BuildContext
const bundled = async (name: string, ...args: string[]) => {
  await bundle.rebuild()
  return output(...args, `dist/walk/${name}.js`)
}
const walk = () => bundled('walking')
const house = () => bundled('house', '--test-reporter=tap')

before(async () => {
  // `fs.cpSync` takes eight seconds for the three thousand files.
  const leftOut = ['./.git', 'node_modules', './dist', './tests/contract/walk.test.ts'].map(name => `--exclude=${name}`).join(' ')
  await run('sh', ['-c', `tar ${leftOut} -cf - . | tar -xf - -C ${folder}`])
  for (const each of installed()) fs.symlinkSync(path.resolve(each), inCopy(each))
  for (const { file, code } of [operation, report]) {
    fs.mkdirSync(path.dirname(inCopy(file)), { recursive: true })
    fs.writeFileSync(inCopy(file), code)
  }
  for (const each of changes) change(each)
  await script('new', 'area', 'sites/greetings')
  await output(...tools.biome('format', '--write', 'operations/sites', 'storage', 'tests/sites'))
  await build({ ...threads, absWorkingDir: folder }) // they know the dimension
  for (const built of ['dist/pages', 'dist/scalar']) fs.cpSync(built, inCopy(built), { recursive: true })
  const entries = { walking: 'tests/contract/walking.ts', house: 'tests/contract/house.test.ts', spec: 'scripts/spec.ts' }
  bundle = await context({ ...programs(entries, 'dist/walk'), absWorkingDir: folder, sourcemap: false })
  assert.equal(await bundled('spec'), '')
})
after(async () => {
  await bundle.dispose()
  await stop() // the process of esbuild
  fs.rmSync(folder, { recursive: true, force: true })
})

describe('the ways that CONTRIBUTING describes', () => {
  let once: Promise<string> | undefined
  const walked = () => (once ??= walk())

  testIfFull('compile', async () => assert.equal(await output(...tools.tsc('--noEmit')), ''))

  // A normal run checks below that nothing is reported but the missing parts.
  testIfFull('keep to the rules of the house', async () => {
    const said = await house()
    assert.match(said, /^# tests \d+/m)
    assert.doesNotMatch(said, added)
  })

  testIfFull('pass the tests', async () => {
    const report = await script('test')
    assert.match(report, /^ℹ fail 0$/m, failuresIn(report))
  })

  test('work out a dimension from another, in a breakdown and a filter', async () => {
    const { handheld, kept } = JSON.parse(await walked())
    assert.deepEqual(handheld, [
      ['no', 2],
      ['yes', 2],
    ])
    assert.equal(kept, 2)
  })

  test('answer a report of days of the site', async () => {
    const { weekends } = JSON.parse(await walked())
    assert.deepEqual([weekends.visits, weekends.on_weekends], [4, 1])
  })

  test('run: an operation, a table, an id, an event, a task and a setting', async () => {
    const { age, sent, got, forgotten, events, webhooks } = JSON.parse(await walked())
    assert.deepEqual([age[0], age[1].age, age[1].unit], [200, 2, 'hours'])
    assert.deepEqual([sent[0], sent[1].text], [201, 'Hello'])
    assert.match(sent[1].id, /^grt_/)
    assert.deepEqual([got[0], got[1].text], [200, 'Hello'])
    assert.deepEqual(events, [{ type: 'greeting.created' }])
    assert.ok(webhooks.includes('greeting.created'))
    assert.deepEqual([forgotten[0], forgotten[1].code], [404, 'not_found'])
  })

  test('show a record with its view, which CONTRIBUTING prints as it is', async () => {
    assert.equal(readCopy(view.file), view.code)
    const { shown } = JSON.parse(await walked())
    assert.match(shown, /<article class="card">\s*<time datetime="/)
  })
})

describe('a missing part is reported', () => {
  const folder = 'operations/sites/greetings'
  const without = (line: string): Change => [`${folder}/area.ts`, line, '']
  type Part = readonly [what: string, change: readonly Change[], sentence: RegExp]
  /** Each run, with the parts that it checks. A normal run has one of each kind. */
  const runs: ReadonlyArray<readonly [ask: () => Promise<string>, parts: readonly Part[]]> = [
    [
      house,
      [
        [
          'the table',
          [without("  tables: ['greetings'],\n")],
          /\w+\.ts writes greetings: operations\/sites\/greetings\/area\.ts does not declare it in tables/,
        ],
        ['the id', [without('  ids,\n')], /makes ids that begin with grt_, and operations\/sites\/greetings\/area\.ts does not bring them/],
        ['the event', [without('  events,\n')], /declares greeting_created, and .* does not bring it among its events/],
        ['the task', [without('  tasks,\n')], /declares greetings_forget, and .* does not bring it among its tasks/],
        ['the setting', [without('  settings,\n')], /declares GREETING_DAYS, and .* does not bring it among its settings/],
        [
          'the views',
          [without("  views: () => import('./pages.tsx'),\n")],
          /greetings\/pages\.tsx declares greeting, and .* does not bring it among its views/,
        ],
        [
          'a permission to write',
          [[`${folder}/operations.ts`, "access: 'content.write'", "access: 'analytics.read'"]],
          /greetings_create: its effect is "create", and analytics\.read is for reading/,
        ],
      ],
    ],
    [house, [['the operations', [without('  operations,\n')], /declares greetings_\w+, and .* does not bring it among its operations/]]],
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
    [
      walk,
      [
        [
          'the step',
          [['storage/migrations/steps.ts', "{ adds: ['greetings'] }", '{ adds: [] }']],
          /greetings.*: no step in storage\/migrations\/steps\.ts adds what/,
        ],
      ],
    ],
    [
      walk,
      [
        [
          'the example record',
          [[`${folder}/example.ts`, '  return { greeting }\n', '  return {}\n']],
          /^An example names \{\{greeting\}\}, which no area has put into the example world/,
        ],
      ],
    ],
    [
      walk,
      [
        [
          'the examples of an operation',
          [[`${folder}/operations.ts`, "  examples: [{ input: { site_id: '{{site}}', text: 'Hello' } }],\n", '']],
          /The table of operations is wrong:\n {2}greetings_create: has no example/,
        ],
      ],
    ],
  ]
  for (const [i, [ask, parts]] of runs.entries()) {
    testIfFullOr(runs.findIndex(([asks]) => asks === ask) === i)(parts.map(([what]) => what).join(', '), async () => {
      const changes = parts.flatMap(([, changes]) => changes)
      const touched = new Map(changes.map(([file]) => [file, readCopy(file)]))
      for (const each of changes) change(each)
      try {
        const said = await ask()
        for (const [what, , sentence] of parts) assert.match(said, sentence, what)
        if (ask === house) {
          assert.match(said, /^# tests \d+/m)
          const others = said.split('\n').filter(line => added.test(line) && !parts.some(([, , sentence]) => sentence.test(line)))
          assert.deepEqual(others, [], 'nothing else is reported')
        }
        if (ask === walk) assert.doesNotMatch(said, /\n {4}at /, 'and no stack')
      } finally {
        for (const [file, text] of touched) fs.writeFileSync(inCopy(file), text)
      }
    })
  }
})
