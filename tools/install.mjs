/**
 * Installs what is missing of the packages in this folder. `npm test` does so first, as do other commands for contributors:
 *   node tools/install.mjs                    only installs
 *   node tools/install.mjs biome lint …       then runs a tool: biome or tsc
 *   node tools/install.mjs scripts/bench/main.ts …   then runs a program of the checkout, and passes on the arguments
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf, packagesFolder, tools } from './paths.mjs'

/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(fs.readFileSync(path.join(packagesFolder, 'package.json'), 'utf8'))

/** @param {string} name of a package */
function versionOf(name) {
  const folder = folderOf(name)
  return folder && JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version
}

/** Whether a package is missing, or has another version than the package.json of this folder says. */
const isMissing = () => Object.entries(dependencies).some(([name, version]) => versionOf(name) !== version.replace(/^.*@/, ''))

/** @throws Error if npm fails */
export function installPackages() {
  if (!isMissing()) return
  process.stderr.write('Installing the packages of tools, which tests need …\n')
  const npm = process.env.npm_execpath
  const [program, ...args] = npm === undefined ? ['npm'] : [process.execPath, npm]
  // None of them needs an install script, and none may be left out as a development package.
  const options = ['--prefix', packagesFolder, '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync(program, [...args, 'ci', ...options], { cwd: packagesFolder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('The packages of tools could not be installed.')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name, ...args] = process.argv
  installPackages()
  if (name !== undefined) {
    const command = name === 'biome' || name === 'tsc' ? tools[name](...args) : ['--import', 'tsx', name, ...args]
    process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1
  }
}
