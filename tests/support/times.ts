/**
 * The CPU time of each test file, by engine, for `npm test -- --times`: user and system, of the process and of the children that it
 * waited for. Unlike minutes it is about the same on a busy machine. Of Chromium most is missing: the system waits for its renderers.
 * Page tests that say 37 s take 73 s by the accounting of a control group (docs.kernel.org/admin-guide/cgroup-v1/cpuacct.html).
 */
import fs from 'node:fs'
import path from 'node:path'
import { after, afterEach, before } from 'node:test'

export interface CpuSeconds {
  readonly own: number
  readonly children: number
}

/** A part of the work of a process: what it did since the part before. `test` is empty for what surrounds the tests. */
export interface Part extends CpuSeconds {
  readonly file: string
  readonly engine: string
  readonly test: string
}

/** Where each process writes its parts; undefined if they are not measured. */
const folder = process.env.TEST_TIMES

const parts: Part[] = []
let [engine, file] = ['', '']
let last = { own: 0, children: 0 }

/** Measures the test file whose suite is being declared. */
export function timeFile(name: string): void {
  if (folder === undefined) return
  before(() => {
    note('')
    file = name
  })
  afterEach(({ name: test }) => note(test))
  after(() => {
    note('')
    keep()
  })
}

/** Measures the browsers and other processes that the files of this process shared, which have ended. */
export function timeShared(): void {
  if (folder === undefined) return
  file = 'tests/shared'
  note('')
  keep()
}

const keep = () => fs.writeFileSync(path.join(folder ?? '', `${process.pid}.json`), JSON.stringify(parts))

/** The suite that is being declared runs on this engine. */
export function timeEngine(name: string): void {
  if (folder === undefined) return
  before(() => {
    note('')
    engine = name
  })
  after(() => {
    note('')
    engine = ''
  })
}

function note(test: string): void {
  const now = cpuSeconds()
  parts.push({ file, engine, test, own: now.own - last.own, children: now.children - last.children })
  last = now
}

/** Of Linux: ticks of this process and of its ended children (proc(5), fields 14 to 17). Elsewhere children count nothing. */
export function cpuSeconds(): CpuSeconds {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1_000_000
  if (process.platform !== 'linux') return { own, children: 0 }
  const fields = fs
    .readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return { own, children: (Number(fields[13]) + Number(fields[14])) / TICKS }
}

/** A second; 100 on every Linux that Node runs on. */
const TICKS = 100
