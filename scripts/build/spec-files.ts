/** The generated files of `spec/`, and the tables of the manual that are made of the code. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeTools } from '../../adapters/mcp/tools.ts'
import { describeApi, specText } from '../../adapters/openapi/describe.ts'
import { table } from '../../operations/index.ts'
import { clientFiles } from '../client-files.ts'
import { docsTables, writeDocsTable } from './docs-tables.ts'

export interface Writing {
  /** Write nothing. */
  readonly check?: boolean
  /** Folder of the files; the tables of the manual are then left out. */
  readonly out?: string | undefined
}

/**
 * Writes what is stale.
 * @returns a sentence for each stale file and table that `check` left as it is
 */
export async function writeSpec({ check = false, out }: Writing): Promise<string[]> {
  const files = {
    'openapi.json': specText(describeApi(table)),
    'tools.json': specText(describeTools(table)),
    ...clientFiles(table),
  }
  const folder = out ?? fileURLToPath(new URL('../../spec', import.meta.url))
  const stale: string[] = []
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    if (!check) await writeFile(file, text)
    else if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) stale.push(`spec/${name} is stale: run "npm run spec"`)
  }
  for (const each of out === undefined ? docsTables : []) {
    if (!writeDocsTable(each, { check }) && check) stale.push(`the ${each.name} in ${each.page} are stale: run "npm run spec"`)
  }
  return stale
}
