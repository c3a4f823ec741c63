/**
 * Type-checks and runs every `@example` under runtime/. In an example, `assert` and the exports of its own file are in scope;
 * further imports are written as in that file.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { tools } from '../../tools/paths.mjs'

/** The functions that contributors call: each has an example. */
const contributorFunctions: Readonly<Record<string, readonly string[]>> = {
  'runtime/table/area.ts': ['area'],
  'runtime/table/operation.ts': ['operation', 'list', 'report'],
  'runtime/table/task.ts': ['task'],
  'runtime/events/event.ts': ['event'],
  'runtime/settings/setting.ts': ['setting'],
  'runtime/ui/view.ts': ['view', 'listView'],
  'runtime/ui/form-layout.ts': ['form'],
  'runtime/ui/slot.ts': ['fill'],
  'runtime/texts/message.ts': ['messages'],
  'runtime/texts/say.ts': ['say'],
}

interface Example {
  readonly file: string
  /** The function that the comment documents. */
  readonly of: string
  readonly code: string
}

const examples: readonly Example[] = fs
  .readdirSync('runtime', { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
  .flatMap(name => examplesIn(`runtime/${name}`))

let folder = ''
before(() => {
  folder = fs.mkdtempSync(path.join('tests', '.doc-examples-')) // hidden, so that no other check reads it
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    include: ['./*.tsx', '../../scripts/build/options.ts'],
  }
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  for (const [i, example] of examples.entries()) fs.writeFileSync(path.join(folder, fileOf(example, i)), moduleOf(example))
})
after(() => fs.rmSync(folder, { recursive: true, force: true }))

test('every function that contributors call has an example', () => {
  const missing = Object.entries(contributorFunctions).flatMap(([file, names]) =>
    names.filter(name => !examples.some(each => each.file === file && each.of === name)).map(name => `${file}: ${name} has no @example`),
  )
  assert.deepEqual(missing, [])
})

test('every example asserts something', () => {
  assert.deepEqual(
    examples.filter(({ code }) => !/\bassert[.(]/.test(code)).map(({ file, of }) => `${file}: the example of ${of} asserts nothing`),
    [],
  )
})

test('every example compiles', () => {
  const { stdout } = spawnSync(process.execPath, tools.tsc('--noEmit', '-p', folder), { encoding: 'utf8' })
  assert.equal(stdout, '')
})

test('every example runs', () => {
  const run = examples.map((example, i) => `await import('./${fileOf(example, i)}')`).join('\n')
  fs.writeFileSync(path.join(folder, 'run.mjs'), run)
  const { stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', path.join(folder, 'run.mjs')], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

function fileOf({ of }: Example, i: number): string {
  return `${i}-${of}.tsx`
}

/** An example as a module: with `assert`, and with the exports of its file that it names. */
function moduleOf({ file, code }: Example): string {
  const exported = [...fs.readFileSync(file, 'utf8').matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
  const used = [...new Set(exported)].filter(name => new RegExp(`\\b${name}\\b`).test(code))
  const own = path.relative(folder, file)
  const absolute = code.replace(
    /from '(\.[^']+)'/g,
    (_, to: string) => `from '${path.relative(folder, path.join(path.dirname(file), to))}'`,
  )
  return `/** @jsxRuntime automatic @jsxImportSource #jsx */\nimport assert from 'node:assert/strict'\nimport { ${used.join(', ')} } from '${own}'\n${absolute}\nexport {}\n`
}

function examplesIn(file: string): Example[] {
  const comments = fs
    .readFileSync(file, 'utf8')
    .matchAll(/^\/\*\*\n((?: \*[^\n]*\n)+?) \*\/\nexport (?:async )?(?:function|const|class) (\w+)/gm)
  return [...comments].flatMap(([, comment = '', of = '']) => {
    const text = comment.replace(/^ \* ?/gm, '')
    const [, ...parts] = text.split(/^@example\n/m)
    return parts.map(code => ({ file, of, code: code.replace(/^@(?!ts-)[^]*/m, '') }))
  })
}
