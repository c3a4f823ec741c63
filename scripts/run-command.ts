/** `dist/run-command.js`: runs a command of `dist/commands.cjs` from its code cache, for `footfall` and for scripts/run.mjs. */
import { createRequire } from 'node:module'
import { runProgram } from './code-cache.mjs'
import type { CommandName } from './command-names.ts'

export { isCommand } from './command-names.ts'

type Commands = typeof import('./commands.ts')

export async function runCommand(name: CommandName): Promise<void> {
  const { runCommand } = import.meta.built ? built() : await import('./commands.ts')
  await runCommand(name)
}

/** The exports of the built file. */
const built = (): Commands => runProgram(createRequire(import.meta.url).resolve('#built/commands.cjs')).exports as Commands
