/**
 * `npm test`: types and lint rules, then every test file, with one Postgres for the whole run.
 *   npm test -- --full                           every suite on both engines, all that a normal run takes a part of, a new seed
 *   npm test -- tests/watch/alerts               only what lies under that path, run as the whole run does
 *   npm test -- --test-name-pattern=mute         flags of `node --test`; a value follows a `=`
 *   ENGINE=sqlite npm test -- tests/sites        on one engine, without a Postgres
 *   npm test -- --times                          also prints the CPU seconds of the files and tests that take most
 *   npm test -- --reach                          also keeps which sources each test file runs, for `npm run mutants`
 *   SEED=123 npm test -- tests/crash             with the chance of a run that printed this seed
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { installPackages } from '../tools/install.mjs'
import { tools } from '../tools/paths.mjs'
import { engines, makePostgresTemplate, makeSqliteTemplate } from '../tests/support/engines.ts'
import { startPostgres } from '../tests/support/postgres.ts'
import { cpuSeconds } from '../tests/support/times.ts'
import { buildTests, testFlags } from './build/tests.ts'
import { chooseTests } from './build/choose-tests.ts'
import { timesOfRun, timesTable } from './build/test-times.ts'
import { keepReach } from './mutants/reach.ts'
import { bringUpToDate } from './up-to-date.mjs'

const isFull = process.argv.includes('--full')
const isTimed = process.argv.includes('--times')
const isReached = process.argv.includes('--reach')
const flags = process.argv.slice(2).filter(argument => argument.startsWith('-') && !['--full', '--times', '--reach'].includes(argument))
const paths = process.argv.slice(2).filter(argument => !argument.startsWith('-'))

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** @returns the exit code */
async function run(): Promise<number> {
  const files = chooseTests(paths)
  // esbuild and the compiler of types are written in Go, whose garbage collector takes a quarter of their time.
  Object.assign(process.env, { GOGC: 'off', GOMEMLIMIT: '2500MiB', ...process.env })
  installPackages()
  const isWhole = paths.length === 0 && flags.length === 0
  const checking = isWhole ? checkCode() : 0 // while the tests are built and run
  const problem = bringUpToDate()
  if (problem) throw new Error(problem.message)
  const outdir = `dist/tests/${process.pid}` // another run may be under way
  const built = await buildTests(files, outdir)
  const isOnPostgres = engines.some(({ name }) => name === 'postgres')
  const data = path.resolve(outdir, 'postgres')
  const postgres = isOnPostgres ? await startPostgres({ keepIn: data }) : undefined
  const template = postgres && (await makePostgresTemplate(postgres.url))
  const file = await makeSqliteTemplate(outdir)
  const times = `${outdir}/times`
  const reach = `${outdir}/reach`
  if (isTimed) fs.mkdirSync(times)
  if (isReached) fs.mkdirSync(reach)
  const seed = process.env.SEED || (isFull ? String(randomInt(2 ** 31)) : undefined)
  const repeat = seed && `To repeat this run: SEED=${seed} npm test --${isFull ? ' --full' : ''} <file>\n`
  try {
    if (repeat) process.stdout.write(repeat)
    const env = {
      TEST_BUILT: outdir,
      TEST_SQLITE_TEMPLATE: file,
      ...(seed && { SEED: seed }),
      ...(isFull && { TEST_FULL: '1' }),
      ...(isTimed && { TEST_TIMES: times }),
      ...(isReached && { TEST_REACH: reach }),
      ...(template && { TEST_PG_URL: postgres.url, TEST_PG_SOCKET: postgres.socket, TEST_PG_TEMPLATE: template.name }),
      ...(fs.existsSync(data) && { TEST_PG_DATA: data }),
    }
    // Three times as many as there are processors: most tests wait for a process, a lease or a server at times.
    const defaults = ['--test-reporter=spec', `--test-concurrency=${3 * availableParallelism()}`, '--test-timeout=3600000'].filter(
      flag => !flags.some(given => given.startsWith(flag.replace(/=.*/, ''))),
    )
    // The garbage collector has as much room as in the service.
    const runner = [...testFlags, '--import', './tests/support/light-runner.mjs']
    const status = await node([...runner, '--test', ...defaults, ...flags, ...built], { ...process.env, ...env })
    if (status !== 0 && repeat) process.stdout.write(repeat)
    if (isTimed) process.stdout.write(timesTable(times, 'dist/tests/times.json'))
    if (isReached) keepReach(reach)
    const faulty = await checking
    if (faulty !== 0) process.stderr.write('Types, formatting or lint rules failed: see the beginning of the output.\n')
    return faulty || status
  } finally {
    await checking
    await template?.drop() // the server may be the operator's own
    const tests = cpuSeconds()
    await postgres?.stop()
    if (isTimed) process.stdout.write(timesOfRun(tests, cpuSeconds()))
    fs.rmSync(outdir, { recursive: true })
  }
}

/** Types, formatting and lint rules, side by side: each uses one processor. Of the types, several threads check many twice. */
async function checkCode(): Promise<number> {
  const checks = [
    tools.tsc('--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.json'),
    tools.tsc('--noEmit', '-p', 'tracker/tsconfig.json'),
    tools.biome('ci', '--error-on-warnings'),
  ]
  return (await Promise.all(checks.map(check => node(check)))).find(status => status !== 0) ?? 0
}

async function node(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const [status] = await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'exit')
  return status ?? 1
}
