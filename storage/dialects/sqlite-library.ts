/**
 * Loads the release of better-sqlite3 that fits the running Node, and reports a missing native module as such.
 *
 * Release 13 needs Node-API 10 (Node 22.14 and later) and crashes with an older one. Release 12 compiles against V8: when
 * compiled with the headers of Node 24.19 or later it aborts. So package.json has both, as optional dependencies, and npm
 * may have left out either (docs/platform.md).
 */
import { createRequire } from 'node:module'
import type Better from 'better-sqlite3'

export type SqliteFile = Better.Database
export type SqliteOptions = Better.Options

/** The package that this version of Node needs. */
interface Wanted {
  /** Where to look for it; the second name is what a checkout had before there were two releases. */
  readonly names: readonly string[]
  readonly fits: (release: number) => boolean
  readonly remedy: string
}

const compiled = `It is compiled when it is installed: allow its install script ("npm install-scripts approve better-sqlite3", for npm 12 and later) and run "npm rebuild better-sqlite3-12". If there is no prebuilt binary for this machine, that needs Python, make and a C++ compiler. Node 22.14 and later need none of this.`
const prebuilt = `Run "npm ci" (or "npm install") with this version of Node, without --omit=optional. If there is no prebuilt binary for this machine, run "npm rebuild better-sqlite3 --foreground-scripts" with Python, make and a C++ compiler.`

/** @param napi the version of Node-API, from `process.versions` */
export function wantedBy(napi: number): Wanted {
  return napi >= 10
    ? { names: ['better-sqlite3'], fits: () => true, remedy: prebuilt }
    : { names: ['better-sqlite3-12', 'better-sqlite3'], fits: release => release < 13, remedy: compiled }
}

/** The native module of SQLite cannot be loaded: a fault of the installation, not of the database. */
export class NativeModuleMissing extends Error {
  constructor({ names: [name] }: Wanted, remedy: string, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const reason = message
      .replace(/(Tried:|Require stack:)[^]*/, '')
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim()
    super(`The native module of SQLite (${name}) is missing or does not fit Node ${process.versions.node}: ${reason} ${remedy}`, { cause })
    this.name = 'NativeModuleMissing'
  }
}

const require = createRequire(import.meta.url)
const wanted = wantedBy(Number(process.versions.napi))
let library: typeof Better | undefined

/** Opens a file of SQLite. @throws NativeModuleMissing, or SQLite's error with its `code` */
export function openFile(file: string, options?: SqliteOptions): SqliteFile {
  library ??= load()
  return new library(file, options)
}

/** Path of the chosen package, for programs of their own. @throws NativeModuleMissing */
export function libraryPath(): string {
  const path = wanted.names.map(find).find(found => found !== undefined && wanted.fits(releaseOf(found)))
  if (path !== undefined) return path
  throw new NativeModuleMissing(wanted, wanted.remedy, 'npm has not installed it.')
}

/** Opens a database in memory, because the package loads its native module only then. */
function load(): typeof Better {
  const path = libraryPath()
  try {
    const loaded = require(path) as typeof Better // types come from release 12; what we use is the same in 13
    new loaded(':memory:').close()
    return loaded
  } catch (error) {
    throw new NativeModuleMissing(wanted, wanted.remedy, error)
  }
}

function find(name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

function releaseOf(path: string): number {
  const { version } = require(path.replace(/lib[\\/]index\.js$/, 'package.json')) as { version: string } // written by npm
  return Number.parseInt(version, 10)
}
