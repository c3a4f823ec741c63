/**
 * `npm test`: types, then every test file, with one Postgres for the whole run.
 * `npm test -- tests/alerts` runs only what lies under that path.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { startPostgres } from '../tests/support/postgres.ts'

const wanted = process.argv.slice(2)
const node = (args: string[], env: NodeJS.ProcessEnv = process.env) => spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1
const types = () => ['tsconfig.json', 'tracker/tsconfig.json'].map(project => node(['node_modules/typescript/bin/tsc', '--noEmit', '-p', project])).find(status => status !== 0) ?? 0

const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map(file => `tests/${file}`)
 .filter(file => file.endsWith('.test.ts') && (wanted.length === 0 || wanted.some(path => file.startsWith(path)))).sort()
let status = wanted.length === 0 ? types() : 0
if (status === 0) {
  const postgres = await startPostgres()
  status = node(['--import', 'tsx', '--test', '--test-reporter=spec', '--test-concurrency=2', '--test-timeout=300000', ...files], { ...process.env, TEST_PG_URL: postgres.url })
  await postgres.stop()
}
process.exitCode = status
