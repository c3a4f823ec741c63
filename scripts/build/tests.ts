/**
 * Tests run from `dist/tests/`, bundled like the service: with a TypeScript loader every test process would spend two
 * seconds on the same files.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { inAscii } from './ascii.ts'
import { askLess, cachedPrograms, leaveToTools, root } from './options.ts'

/**
 * Builds files of a folder as one, for one process, which loads the service once for them all. Everything is in one CommonJS
 * file with a code cache, and what a process runs is a file of a few lines. No file has an `await` at its top.
 * @param outdir a new folder under `dist/tests/`
 * @returns the built files, in the order in which to run them
 */
export async function buildTests(files: readonly string[], outdir: string): Promise<string[]> {
  const groups = grouped(files)
  const entries = inOrder(groups)
  // The runner sorts its files by name.
  const outputOf = (entry: string, i = entries.indexOf(entry)) => (i < 0 ? '' : `${String(i).padStart(3, '0')}/`) + nameOf(entry)
  const points = [...entries, ...new Set(files.flatMap(file => programsIn(file)))]
  await build({
    ...cachedPrograms({ all: 'all tests' }, outdir),
    plugins: [askLess, hashQuickly, leaveToTools, keepAddresses, bringTogether([...points, WARM], groups)],
  })
  await stop() // its process would live as long as ours
  const program = path.join(root, outdir, 'all.cjs')
  fs.writeFileSync(program, inAscii(fs.readFileSync(program, 'utf8')))
  for (const entry of points) writeStarter(path.join(root, outdir, `${outputOf(entry)}.js`), entry, program)
  if (points.length >= MIN_CACHED) await warm(program)
  return entries.map(entry => `${outdir}/${outputOf(entry)}.js`)
}

/** Makes a service and its records, for the code cache: most processes begin so. */
const WARM = 'tests/support/warm.ts'
/** Making the cache takes as long as three processes take longer without it. */
const MIN_CACHED = 4

/** V8 refuses a cache that was made with other flags; `programOf` and `npm test` have the same. */
export const testFlags: readonly string[] = ['--max-semi-space-size=32']

/** The file that Node runs for an entry. */
function writeStarter(file: string, entry: string, program: string): void {
  const loader = pathToFileURL(path.join(root, 'scripts/code-cache.mjs')).href
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `import { runProgram } from '${loader}'\nglobalThis.testEntry = '${entry}'\nrunProgram('${program}')\n`)
}

async function warm(program: string): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = [...testFlags, path.join(root, 'scripts/build/warm-tests.mjs'), program, WARM]
  const [status] = await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'exit')
  if (status !== 0) throw new Error('The built tests do not start.')
}

/** About how many seconds a kilobyte of the tests of a folder takes on a busy machine, if more than half a second. */
const secondsOf: Readonly<Record<string, number>> = {
  crash: 4,
  scripts: 4,
  browser: 2,
  contract: 1.8,
  storage: 1.6,
  exchange: 1.5,
  service: 1.5,
  adapters: 1.2,
  tracker: 1.2,
}
const lengthOf = (file: string): number => (sourceOf(file).length / 1_000) * (secondsOf[folderOf(file) ?? ''] ?? 0.5)
const lengthOfAll = (files: readonly string[]): number => files.reduce((sum, file) => sum + lengthOf(file), 0)

/** Longest group, in seconds. The start of a process takes 1 s, and compiling the service another. */
const MAX_SECONDS = 480
/** Longest group of tests that start processes and wait for most of their time, in seconds. */
const MAX_SECONDS_WAITING = 130

/** Longest group of several folders. They begin last, so they must be short. */
const MAX_SECONDS_JOINED = 340

/**
 * Files under one folder of `tests/`, in groups of about the same length, or all files of several small folders. A group is named
 * after its first file.
 */
function grouped(files: readonly string[]): Map<string, readonly string[]> {
  const groups: (readonly string[])[] = []
  for (const file of files) {
    const last = groups.at(-1)
    const most = startsProcesses(file) ? MAX_SECONDS_WAITING : MAX_SECONDS
    if (last?.[0] && folderOf(last[0]) === folderOf(file) && lengthOfAll(last) + lengthOf(file) <= most)
      groups.splice(-1, 1, [...last, file])
    else groups.push([file])
  }
  return new Map(joined(groups).map(group => [(group[0] ?? '').replace(/\.test\.ts$/, '/all.ts'), group]))
}

/** Puts each short group into the first one that has room for it, if both wait for no processes. */
function joined(groups: readonly (readonly string[])[]): (readonly string[])[] {
  const found: (readonly string[])[] = []
  for (const group of [...groups].sort((a, b) => lengthOfAll(b) - lengthOfAll(a))) {
    const hasRoom = (other: readonly string[]) =>
      ![...other, ...group].some(startsProcesses) && lengthOfAll(other) + lengthOfAll(group) <= MAX_SECONDS_JOINED
    const at = found.findIndex(hasRoom)
    found.splice(at < 0 ? found.length : at, 1, [...(found[at] ?? []), ...group])
  }
  return found
}

/** Whether a file tests crashes or commands, which run as processes. */
const startsProcesses = (file: string): boolean => ['crash', 'scripts'].includes(folderOf(file) ?? '')

const folderOf = (file: string): string | undefined => file.split('/')[1]

/** Long groups first, so that what is left at the end is short. Those that wait are spread evenly among the others. */
function inOrder(groups: ReadonlyMap<string, readonly string[]>): string[] {
  const longestFirst = [...groups].sort(([, a], [, b]) => lengthOfAll(b) - lengthOfAll(a)).map(([entry]) => entry)
  const [waiting, working] = [longestFirst.filter(startsProcesses), longestFirst.filter(entry => !startsProcesses(entry))]
  const placed = [
    ...working.map((entry, i) => ({ entry, at: i / working.length })),
    ...waiting.map((entry, i) => ({ entry, at: (i + 1) / waiting.length })),
  ]
  return placed.sort((a, b) => a.at - b.at).map(({ entry }) => entry)
}

/** Writes the file with everything: by its name, what a process runs. A suite for each test file, so that hooks apply to one. */
const bringTogether = (entries: readonly string[], groups: ReadonlyMap<string, readonly string[]>): Plugin => ({
  name: 'bring together',
  setup({ onResolve, onLoad }) {
    const contents = [
      'function suite(file, load) {',
      `  const { before, describe } = require('node:test')`,
      `  const { beginChance } = require('./tests/support/chance.ts')`,
      `  const { timeFile } = require('./tests/support/times.ts')`,
      `  const { reachFile } = require('./tests/support/reach.ts')`,
      '  describe(file, () => { before(() => beginChance(file)); timeFile(file); reachFile(file); void load() })',
      '}',
      'function beginTests() {',
      '  const ends = (globalThis.atEndOfTests = [])',
      `  require('node:test').after(async () => { for (const end of ends) await end(); require('./tests/support/times.ts').timeShared() })`,
      '}',
      'const entries = {',
      ...entries.map(entry => `  '${entry}': () => { ${startOf(entry, groups.get(entry))} },`),
      '}',
      'entries[globalThis.testEntry]()',
    ]
    onResolve({ filter: /^all tests$/ }, ({ path }) => ({ path, namespace: 'together' }))
    onLoad({ filter: /./, namespace: 'together' }, () => ({ resolveDir: root, contents: contents.join('\n') }))
  },
})

/** A group of test files, or a program. */
function startOf(entry: string, files: readonly string[] | undefined): string {
  if (files === undefined) return `void require('./${entry}')`
  return ['beginTests()', ...files.map(file => `suite('${file}', () => require('./${file}'))`)].join('; ')
}

const nameOf = (file: string): string => file.replace(/^(?:tests\/)?(.*)\.ts$/, '$1')
const sourceOf = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')

/** Programs that a test starts as processes, by itself or by what it imports from `tests/`. */
function programsIn(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || !fs.existsSync(path.join(root, file))) return [] // what a test writes imports, too
  seen.add(file)
  const source = sourceOf(file)
  const named = [...source.matchAll(/\bprogramOf\('([^']+)'\)/g)].flatMap(([, program]) => program ?? [])
  const imported = [...source.matchAll(/\bfrom '(\.[^']+\.ts)'/g)].map(([, name = '']) => path.join(path.dirname(file), name))
  return [...named, ...imported.filter(name => name.startsWith('tests/')).flatMap(name => programsIn(name, seen))]
}

/** Passwords of tests are hashed at a hundredth of the cost. */
const hashQuickly: Plugin = {
  name: 'hash quickly',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/password-cost\.ts$/ }, () => ({
      path: path.join(root, 'tests/support/password-cost.ts'),
    })),
}

/** Keeps `import.meta.url`, so that tests and tools find files next to their sources; in quotes it is a name for esbuild. */
const keepAddresses: Plugin = {
  name: 'keep addresses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(tests|scripts|tracker)\/.*\.m?[jt]s$/, namespace: 'file' }, async ({ path: file }) => {
      if (!/^(tests|scripts|tracker)\//.test(path.relative(root, file))) return undefined // a file of a package
      const source = await fs.promises.readFile(file, 'utf8')
      return {
        loader: file.endsWith('ts') ? 'ts' : 'js',
        contents: source
          .replaceAll(/(?<!')import\.meta\.url/g, JSON.stringify(pathToFileURL(file).href))
          .replaceAll(/(?<!')import\.meta\.filename/g, JSON.stringify(file)),
      }
    }),
}
