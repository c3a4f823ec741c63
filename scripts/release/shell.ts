/** Programs that a release runs. Each fails the release if it fails. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'

/** Runs a program in a folder, and returns what it printed. Errors go to the terminal. */
export function run(folder: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, npm_config_global: 'false', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  }).trim()
}

/** npm, run by the given Node: npm decides by it which packages fit. */
export function npm(folder: string, args: readonly string[], { node = process.execPath, env = {} } = {}): string {
  const own = process.env.npm_execpath
  if (own === undefined && node !== process.execPath) throw new Error(`npm has to be run by ${node}: start this with npm run release`)
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline']
  return own === undefined ? run(folder, 'npm', [...args, ...quiet], env) : run(folder, node, [own, ...args, ...quiet], env)
}

export const digest = (file: string, algorithm: 'sha256' | 'sha512' = 'sha256') =>
  createHash(algorithm).update(fs.readFileSync(file)).digest()
