/**
 * The sources that each test file runs, for `npm test -- --reach`: it cannot notice faults in other files. Of processes and threads
 * that a test starts nothing is known.
 */
import fs from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import path from 'node:path'
import { after, before } from 'node:test'

/** Where each test file writes its list; undefined if it is not asked for. */
const folder = process.env.TEST_REACH

/** Observes the test file whose suite is being declared. */
export function reachFile(name: string): void {
  if (folder === undefined) return
  before(() => void calledSince())
  after(() => {
    const sources = [...new Set(calledSince().flatMap(at => sourceAt(at) ?? []))].sort()
    fs.writeFileSync(path.join(folder, `${name.replaceAll('/', '+')}.json`), JSON.stringify({ [name]: sources }))
  })
}

let session: Session | undefined
const PROGRAM = /\/all\.cjs$/
/** The beginning of a module, as esbuild names it. It runs when the module is first needed, by whatever test that is. */
const MODULE = /\.(tsx?|m?js)$/
/** Text that scripts/code-cache.mjs puts before the program. */
const WRAPPED = '(function (exports, require, module, __filename, __dirname) {'.length

/** Where the functions begin that were called since this was asked before. */
function calledSince(): number[] {
  if (!session) {
    session = new Session()
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }
  let found: Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (_, answer) => {
    found = answer.result // at once, as all calls of a session of the same thread
  })
  return found
    .filter(({ url }) => PROGRAM.test(url))
    .flatMap(({ functions }) => functions)
    .flatMap(({ functionName, ranges: [range] }) =>
      range && range.count > 0 && !MODULE.test(functionName) ? range.startOffset - WRAPPED : [],
    )
}

let modules: readonly { readonly from: number; readonly source: string }[] | undefined

/** The source of a place in the built file: esbuild writes its name above it. */
function sourceAt(at: number): string | undefined {
  modules ??= [...fs.readFileSync(path.join(process.env.TEST_BUILT ?? '', 'all.cjs'), 'utf8').matchAll(/^\/\/ (\S+\.\w+)$/gm)].map(
    ({ index, 1: source = '' }) => ({ from: index, source }),
  )
  const next = modules.findIndex(({ from }) => from > at)
  const source = modules.at(next === -1 ? -1 : next - 1)?.source
  return source?.match(/^(operations|adapters|runtime|storage)\//) ? source : undefined
}
