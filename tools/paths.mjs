/**
 * Packages that only tests, lint rules, types and benchmarks need. They have a lock file of their own, so that `npm ci` in the
 * checkout installs only what the service is built of. A file of this folder passes each one on: other files import that file.
 */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const packagesFolder = fileURLToPath(new URL('.', import.meta.url))
const root = path.resolve(packagesFolder, '..')

/**
 * @param {string} name of a package in the package.json of this folder
 * @returns {string | undefined} its folder, next to this file or in the checkout; undefined if neither has it
 */
export const folderOf = name =>
  [packagesFolder, root]
    .map(folder => path.join(folder, 'node_modules', name))
    .find(folder => fs.existsSync(path.join(folder, 'package.json')))

/**
 * @param {string} name of a package
 * @param {string} file in it
 * @returns {string} path
 */
export function fileOf(name, file) {
  const folder = folderOf(name)
  if (folder === undefined) throw new Error(`The package ${name} is not installed: run "node tools/install.mjs".`)
  return path.join(folder, file)
}

/** @returns the folders of packages that this checkout has, for copies of it */
export const installed = (checkout = root) =>
  ['node_modules', 'tools/node_modules'].filter(folder => fs.existsSync(path.join(checkout, folder)))

/** Arguments of Node for tools that several places start. */
export const tools = {
  /** @param {readonly string[]} args */
  tsc: (...args) => [fileOf('typescript-native', 'bin/tsc'), ...args],
  /** @param {readonly string[]} args */
  biome: (...args) => [fileOf('@biomejs/biome', 'bin/biome'), ...args],
}
