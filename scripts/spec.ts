/**
 * `npm run spec` writes the generated files, and the tables of the manual that are made of the code. `npm run spec -- --check`
 * only names those that are stale, and exits with 1.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { describeTools } from '../adapters/mcp/tools.ts'
import { describeApi, specText } from '../adapters/openapi/describe.ts'
import { table } from '../operations/index.ts'
import { docsTables, writeDocsTable } from './build/docs-tables.ts'
import { clientFiles } from './client-files.ts'

const { check = false, out } = new Command('spec')
  .option('--check', 'write nothing; exit with 1 where a file is stale')
  .option('--out <folder>', 'folder of the files; the tables of the manual are left out')
  .parse()
  .opts<{ check?: true; out?: string }>()

void run()

async function run(): Promise<void> {
  const files = {
    'openapi.json': specText(describeApi(table)),
    'tools.json': specText(describeTools(table)),
    ...clientFiles(table),
  }

  const folder = out ?? fileURLToPath(new URL('../spec', import.meta.url))
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    if (!check) await writeFile(file, text)
    else if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) {
      process.stderr.write(`spec/${name} is stale: run "npm run spec"\n`)
      process.exitCode = 1
    }
  }
  for (const each of out === undefined ? docsTables : []) {
    if (writeDocsTable(each, { check }) || !check) continue
    process.stderr.write(`the ${each.name} in ${each.page} are stale: run "npm run spec"\n`)
    process.exitCode = 1
  }
}
