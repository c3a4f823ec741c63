/**
 * `npm run spec` writes the generated files, and the tables of the manual that are made of the code. `npm run spec -- --check`
 * only names those that are stale, and exits with 1.
 */
import { Command } from 'commander'
import { writeSpec } from './build/spec-files.ts'

const options = new Command('spec')
  .option('--check', 'write nothing; exit with 1 where a file is stale')
  .option('--out <folder>', 'folder of the files; the tables of the manual are left out')
  .parse()
  .opts<{ check?: true; out?: string }>()

void run()

async function run(): Promise<void> {
  const stale = await writeSpec(options)
  for (const sentence of stale) process.stderr.write(`${sentence}\n`)
  if (stale.length > 0) process.exitCode = 1
}
