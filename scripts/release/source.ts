/** The source of a release: a clean clone of one commit, built. */
import fs from 'node:fs'
import path from 'node:path'
import { npm, run } from './shell.ts'

export interface Source {
  readonly folder: string
  readonly version: string
  readonly commit: string
  /** Time of the commit, in seconds since 1970: the time of everything in the release. */
  readonly seconds: number
  /** Address of the repository, without `.git`. */
  readonly repository: string
}

/** In the files of the checkout, where the address of the repository belongs. `npm run release -- --repository` replaces it. */
export const PLACEHOLDER = 'https://github.com/OWNER/footfall'

/**
 * @param checkout of which the commit `HEAD` is released
 * @throws Error if the checkout has changes that are not committed, or the changelog does not have the version
 */
export function cloned(checkout: string, into: string, repository: string): Source {
  const changed = run(checkout, 'git', ['status', '--porcelain'])
  if (changed !== '') throw new Error(`Commit or remove these changes first, as a release is made from a commit:\n${changed}`)
  run(checkout, 'git', ['clone', '--quiet', '--no-hardlinks', '.', into])
  const { version } = JSON.parse(fs.readFileSync(path.join(into, 'package.json'), 'utf8')) as { version: string } // our own
  const commit = run(into, 'git', ['rev-parse', 'HEAD'])
  const seconds = Number(run(into, 'git', ['show', '--no-patch', '--format=%ct', 'HEAD']))
  fillIn(into, repository)
  return { folder: into, version, commit, seconds, repository }
}

/** Replaces the placeholder in every file of the repository that has it. */
function fillIn(folder: string, repository: string): void {
  if (repository === PLACEHOLDER) return
  const files = run(folder, 'git', ['grep', '--files-with-matches', '--fixed-strings', PLACEHOLDER, '--', ':!scripts/release'])
  for (const file of files.split('\n')) {
    const at = path.join(folder, file)
    fs.writeFileSync(at, fs.readFileSync(at, 'utf8').replaceAll(PLACEHOLDER, repository))
  }
}

/**
 * Installs and builds. Code caches of V8 differ between two builds, and fit only the Node that made them. So they are not part of
 * what is published.
 */
export function built(source: Source): void {
  npm(source.folder, ['ci'], { env: { FOOTFALL_COMMIT: source.commit } })
  for (const name of fs.readdirSync(path.join(source.folder, 'dist'))) {
    if (name.endsWith('.cache')) fs.rmSync(path.join(source.folder, 'dist', name))
  }
}
