/** The files of the typed client, made of adapters/client with TypeScript: `{ 'client.js': …, 'client.d.ts': … }`. */
import { readFileSync } from 'node:fs'
import { ts } from '../tools/typescript.mjs'
import { clientScript, clientTypes } from '../adapters/client/client.ts'
import type { Table } from '../runtime/table/table.ts'
import { root } from './build/options.ts'

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  isolatedDeclarations: true,
  stripInternal: true,
  newLine: ts.NewLineKind.LineFeed,
}

export function clientFiles(table: Table): Readonly<Record<'client.js' | 'client.d.ts', string>> {
  const source = readFileSync(`${root}adapters/client/core.ts`, 'utf8')
  const script = ts.transpileModule(source, { compilerOptions }).outputText
  const { outputText: types } = ts.transpileDeclaration(source, { compilerOptions })
  return { 'client.js': clientScript(table, script), 'client.d.ts': clientTypes(table, types) }
}
