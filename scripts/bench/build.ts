/** Builds the benchmarks into `dist/bench/`, and the service if its sources are newer. */
import fs from 'node:fs'
import { build } from 'esbuild'
import { programs } from '../build/options.ts'
import { bringUpToDate } from '../up-to-date.mjs'

const problem = bringUpToDate()
if (problem) throw new Error(problem.message)
fs.rmSync('dist/bench', { recursive: true, force: true })
// The programs that benchmarks start, and main itself.
const entries = ['main', 'server', 'reports/cold', 'reports/asker', 'reports/sender']
await build(programs(Object.fromEntries(entries.map(name => [name, `scripts/bench/${name}.ts`])), 'dist/bench'))
