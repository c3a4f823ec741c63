/** Checks whether `dist/` matches the sources, and rebuilds it if not. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} name */
export const inDist = name => path.join(root, 'dist', name)

/** Written last by every build: the source files it was made from. */
const inputs = inDist('inputs.json')
/** Exists if anything was built. */
const program = inDist('run-command.js')
/** Not part of published packages. */
const builder = path.join(root, 'scripts/build.ts')

/**
 * Builds if a source is newer than `dist/`. If that is impossible, the existing build is used.
 * @returns {{ message: string, fatal: boolean } | undefined} a message for the user
 */
export function bringUpToDate() {
  if (!existsSync(builder) || isBuiltForTests() || isUpToDate()) return undefined
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

/** @returns {boolean} whether it succeeded; errors were printed */
export function build() {
  // A separate process, as compiler and loader would stay in the service's memory.
  return spawnSync(process.execPath, ['--import', 'tsx', builder], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

/** Whether sources and development packages are there. */
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

/** Whether this is a child of `npm test`, which built before it started: looking at all sources is a fifth of the start of a command. */
function isBuiltForTests() {
  const { TEST_BUILT } = process.env
  return TEST_BUILT !== undefined && existsSync(path.join(root, TEST_BUILT))
}

/** A deleted file counts as changed; an added one counts once another file imports it. */
function isUpToDate() {
  const builtAt = statSync(inputs, { throwIfNoEntry: false })?.mtimeMs
  if (builtAt === undefined) return false
  /** @type {string[]} */
  const files = JSON.parse(readFileSync(inputs, 'utf8'))
  return files.every(file => (statSync(root + file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= builtAt) // `join` takes as long again
}

function mayWrite() {
  try {
    accessSync(isBuilt() ? path.dirname(program) : root, constants.W_OK)
    return true
  } catch {
    return false
  }
}
