/**
 * `npm test`: types, then every test file, with one Postgres for the whole run.
 *   npm test -- tests/watch/alerts               only what lies under that path
 *   npm test -- --test-name-pattern=mute         flags of `node --test`; a value stands behind a `=`
 *   ENGINE=sqlite npm test -- tests/sites        on one engine, without a Postgres
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { engines, makePostgresTemplate } from '../tests/support/engines.ts'
import { startPostgres } from '../tests/support/postgres.ts'
import { buildTests } from './build/tests.ts'
import { chooseTests } from './build/choose-tests.ts'
import { bringUpToDate } from './up-to-date.mjs'

const flags = process.argv.slice(2).filter(argument => argument.startsWith('-'))
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
  const isWhole = paths.length === 0 && flags.length === 0
  if (isWhole) {
    const status = checkCode()
    if (status !== 0) return status
  }
  const problem = bringUpToDate()
  if (problem) throw new Error(problem.message)
  const outdir = `dist/tests/${process.pid}` // another run may be under way
  const built = await buildTests(files, outdir)
  const isOnPostgres = engines.some(({ name }) => name === 'postgres')
  const postgres = isOnPostgres ? await startPostgres() : undefined
  const template = postgres && (await makePostgresTemplate(postgres.url))
  try {
    const env = { TEST_BUILT: outdir, ...(template && { TEST_PG_URL: postgres.url, TEST_PG_TEMPLATE: template.name }) }
    const defaults = ['--test-reporter=spec', `--test-concurrency=${availableParallelism()}`, '--test-timeout=600000'].filter(
      flag => !flags.some(given => given.startsWith(flag.replace(/=.*/, ''))),
    )
    // Source maps cost 0.3 s a file, so they are only used for partial runs.
    return node([...(isWhole ? [] : ['--enable-source-maps']), '--test', ...defaults, ...flags, ...built], { ...process.env, ...env })
  } finally {
    await template?.drop() // the server may be the operator's own
    await postgres?.stop()
    rmSync(outdir, { recursive: true })
  }
}

/** Types, formatting and lint rules. */
function checkCode(): number {
  const checks = [
    ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
    ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tracker/tsconfig.json'],
    ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings'],
  ]
  return checks.map(check => node(check)).find(status => status !== 0) ?? 0
}

function node(args: string[], env: NodeJS.ProcessEnv = process.env): number {
  return spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1
}
