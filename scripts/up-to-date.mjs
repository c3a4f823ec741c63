/** Whether `dist/` is what the sources say, and building it again where it is not. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} name */
export const inDist = name => path.join(root, 'dist', name)

/** Written last by every build: the files it was made from, which stand beside it where this is a checkout. */
const inputs = inDist('inputs.json')
/** What runs where something was built. */
const program = inDist('serve.js')
/** Packages leave the sources out. */
const builder = path.join(root, 'scripts/build.ts')

/**
 * Builds where a source is newer than `dist/`. Where that cannot be done, what is there is run as it is.
 * @returns {{ message: string, fatal: boolean } | undefined} what the one who started this should know
 */
export function bringUpToDate() {
  if (!existsSync(builder) || isUpToDate()) return undefined
  const fatal = !isBuilt()
  const consequence = fatal ? 'Nothing is built' : 'What is in dist/ is older than the sources'
  if (!mayWrite()) return { fatal, message: `${consequence}, and this folder cannot be written to: run "npm run build" as its owner.` }
  if (!canBuild())
    return {
      fatal,
      message: `${consequence}, and building takes the development packages: run "npm ci", or take dist/ from where it was built.`,
    }
  return build() ? undefined : { fatal: true, message: 'The build failed.' }
}

/** @returns {boolean} whether it worked; what went wrong was printed */
export function build() {
  // Its own process: the compiler and the loader would stay in the memory of the service.
  return spawnSync(process.execPath, ['--import', 'tsx', builder], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

/** The sources are there, and the development packages. */
export function canBuild() {
  const { resolve } = createRequire(import.meta.url)
  try {
    return existsSync(builder) && [resolve('esbuild'), resolve('tsx')].length > 0
  } catch {
    return false
  }
}

export function isBuilt() {
  return existsSync(program)
}

/** A file that was deleted counts as changed; one that was added does not count until another names it. */
function isUpToDate() {
  const builtAt = statSync(inputs, { throwIfNoEntry: false })?.mtimeMs
  if (builtAt === undefined) return false
  /** @type {string[]} */
  const files = JSON.parse(readFileSync(inputs, 'utf8'))
  return files.every(file => (statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= builtAt)
}

function mayWrite() {
  try {
    accessSync(isBuilt() ? path.dirname(program) : root, constants.W_OK)
    return true
  } catch {
    return false
  }
}
