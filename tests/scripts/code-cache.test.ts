/** The code cache of the built service: used where it fits, and harmless where it does not. */
import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build, stop } from 'esbuild'
import { service } from '../../scripts/build/options.ts'
import { cacheFile } from '../../scripts/code-cache.mjs'
import { bringUpToDate } from '../../scripts/up-to-date.mjs'
import { openFile } from '../../storage/dialects/sqlite-library.ts'
import manifest from '../../package.json' with { type: 'json' }

const flags = manifest.scripts.start.split(' ').filter(word => word.startsWith('--'))
const loader = path.resolve('scripts/code-cache.mjs')

let folder: string
let program: string
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-code-cache-'))
  program = path.join(folder, 'program.cjs')
})
after(() => fs.rmSync(folder, { recursive: true, force: true }))
after(stop)

/** Runs the program in a process of its own. */
function run(...nodeFlags: string[]): { printed: string; refused: boolean | null } {
  const script = `
    const { runProgram } = await import(${JSON.stringify(loader)})
    const { script } = runProgram(${JSON.stringify(program)})
    process.stderr.write(JSON.stringify(script?.cachedDataRejected ?? null))`
  const { stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, '--input-type=module', '-e', script], { encoding: 'utf8' })
  return { printed: stdout, refused: JSON.parse(stderr) }
}

async function warm(...nodeFlags: string[]): Promise<void> {
  const child = fork('scripts/build/warm.mjs', [program], { execArgv: nodeFlags, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.send('keep')
  await once(child, 'exit')
}

describe('a program with a code cache', () => {
  const source = `const { sep } = require('node:path'); process.stdout.write('one' + sep + require('./part.cjs'))`
  let cache: Buffer
  before(async () => {
    fs.writeFileSync(program, source)
    fs.writeFileSync(path.join(folder, 'part.cjs'), `module.exports = 'part'`)
    await warm()
    cache = fs.readFileSync(cacheFile(program))
  })
  beforeEach(() => {
    fs.writeFileSync(program, source)
    fs.writeFileSync(cacheFile(program), cache)
  })

  test('is run from it', () => {
    assert.deepEqual(run(), { printed: 'one/part', refused: false })
  })

  test('is run from it also by a command that was started without the flags of the service', () => {
    assert.deepEqual(run(...flags), { printed: 'one/part', refused: false })
  })

  test('is compiled where it was made with other flags of V8', () => {
    assert.deepEqual(run('--no-lazy-feedback-allocation'), { printed: 'one/part', refused: true })
  })

  test('is compiled where another build of Node made it, whose V8 may be of the same version', () => {
    for (const change of [{ version: 'v20.0.1' }, { config: { variables: { node_shared: true } } }]) {
      const [[name, value] = assert.fail()] = Object.entries(change)
      const other = `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} })`
      assert.deepEqual(run('--import', `data:text/javascript,${encodeURIComponent(other)}`), { printed: 'one/part', refused: null })
    }
  })

  test('is compiled where it has changed, though it is as long as before', () => {
    fs.writeFileSync(program, fs.readFileSync(program, 'utf8').replace('one', 'two'))
    assert.deepEqual(run(), { printed: 'two/part', refused: null })
  })

  test('is compiled where the cache is damaged, cut off, empty or absent', () => {
    const file = cacheFile(program)
    const whole = fs.readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1
    for (const kept of [flipped, whole.subarray(0, whole.length >> 1), Buffer.alloc(whole.length), Buffer.alloc(0)]) {
      fs.writeFileSync(file, kept)
      assert.deepEqual(run(), { printed: 'one/part', refused: null })
    }
    fs.rmSync(file)
    assert.deepEqual(run(), { printed: 'one/part', refused: null })
  })

  test('is loaded by Node itself where that maps stack traces', () => {
    assert.deepEqual(run('--enable-source-maps'), { printed: 'one/part', refused: null })
  })

  test('may have texts beyond ASCII, and names its own file and line in stack traces', async () => {
    fs.writeFileSync(program, `process.stdout.write('größer ✓')\nprocess.stdout.write(new Error('x').stack.split('\\n')[1])`)
    await warm()
    const { printed, refused } = run()
    assert.equal(refused, false)
    assert.match(printed, /^größer ✓ {4}at .*program\.cjs:2:22/)
  })
})

test('the build makes a cache of the service and the commands that fits what npm start runs, and npm run', () => {
  assert.equal(bringUpToDate(), undefined)
  program = path.resolve('dist/commands.cjs')
  const help = (command: string, nodeFlags: readonly string[]) => {
    const script = `
      const { runProgram } = await import(${JSON.stringify(loader)})
      process.argv.splice(1, 1, '${command}', '--help')
      const { exports, script } = runProgram(${JSON.stringify(program)})
      process.once('exit', () => process.stdout.write(String(script.cachedDataRejected)))
      await exports.runCommand('${command}')`
    return spawnSync(process.execPath, [...nodeFlags, '--input-type=module', '-e', script], { encoding: 'utf8' }).stdout
  }
  assert.match(help('serve', flags), /DATABASE_URL[^]*false$/)
  assert.match(help('token', []), /--workspace <id>[^]*false$/)
})

test('the build makes a code cache of report threads', () => {
  assert.equal(bringUpToDate(), undefined)
  const database = path.join(folder, 'thread.db')
  openFile(database).exec('create table hits (id)').close()
  const thread = `import(${JSON.stringify(pathToFileURL(loader).href)}).then(({ runProgram }) => {
    const { script } = runProgram(${JSON.stringify(path.resolve('dist/report-thread.cjs'))})
    process.stdout.write(String(script.cachedDataRejected), () => process.exit())
  })`
  const workerData = { url: `file:${database}`, cacheBytes: 1_000_000 }
  const script = `new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, ${JSON.stringify({ eval: true, workerData })})`
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })
  assert.equal(stdout, 'false', stderr)
})

test('the built service requires what it loads later, as a program from a cache cannot import() it; what it takes of that is there', async () => {
  const { outputFiles } = await build({ ...service, minifyWhitespace: false, lineLimit: 0, sourcemap: false, write: false }) // to be read here
  const [{ text } = assert.fail()] = outputFiles
  assert.doesNotMatch(text, /(?<![\w*{]|\* .*)\bimport\(/)
  const from = String.raw`await Promise\.resolve\(\)\.then\(\(\) => __toESM\(require\("\./packages/([\w-]+)\.cjs"\), 1\)\)`
  const taken = [
    ...[...text.matchAll(new RegExp(`\\{([^{}]*)\\} = ${from}`, 'g'))].flatMap(([, names = '', file = '']) =>
      names.split(',').map(name => [name.split(':')[0]?.trim() ?? '', file] as const),
    ),
    ...[...text.matchAll(new RegExp(`\\(${from}\\)\\.default(?:\\.(\\w+))?`, 'g'))].map(
      ([, file = '', name = 'default']) => [name, file] as const,
    ),
  ]
  const require = createRequire(import.meta.url)
  const files = new Set([...text.matchAll(/require\("(\.\/packages\/[\w-]+\.cjs)"\)/g)].map(([, file = '']) => file))
  assert.deepEqual(
    [...files].filter(file => Object.keys(require(path.resolve('dist', file))).length === 0),
    [],
  )
  const missing = taken.filter(([name, file]) => name !== 'default' && !(name in require(path.resolve(`dist/packages/${file}.cjs`))))
  assert.ok(taken.length >= 3, JSON.stringify(taken))
  assert.deepEqual(missing, [])
})
