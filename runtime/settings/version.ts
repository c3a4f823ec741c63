/** Which Footfall this is: version, commit and schema of the database. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { recordedNames } from '../../storage/migrations/steps.ts'

declare global {
  interface ImportMeta {
    /** The commit that a release was built from; undefined in other builds. */
    readonly commit?: string
  }
}

export interface Version {
  /** As in package.json. */
  readonly version: string
  /** 40 hex digits; null if this is neither a release nor a checkout. */
  readonly commit: string | null
  /** The newest step of the schema (`storage/migrations/steps.ts`). */
  readonly schema: string
}

export const readVersion = (): Version => ({
  version: manifest.version,
  commit: import.meta.commit ?? commitOfCheckout() ?? null,
  schema: recordedNames.at(-1) ?? '',
})

/** `0.6.0 (commit 1a2b3c4d5e6f, schema 2026-11-27-1-packed-days)` */
export const versionLine = ({ version, commit, schema }: Version = readVersion()): string =>
  `${version} (${commit === null ? '' : `commit ${commit.slice(0, 12)}, `}schema ${schema})`

/** `0.6.0 (commit 1a2b3c4d5e6f)` */
export const releaseLine = ({ version, commit }: Version = readVersion()): string =>
  commit === null ? version : `${version} (commit ${commit.slice(0, 12)})`

/** Reads the commit from `.git` without git: in a checkout, the files of a program are in it or in `dist/`. */
function commitOfCheckout(): string | undefined {
  const git = path.join(path.dirname(fileURLToPath(import.meta.url)).replace(/[\\/](dist([\\/].*)?|runtime[\\/]settings)$/, ''), '.git')
  const read = (name: string) => fs.readFileSync(path.join(git, name), 'utf8')
  try {
    const head = read('HEAD').trim()
    const [, ref] = /^ref: (.+)$/.exec(head) ?? []
    if (ref === undefined) return head
    const file = path.join(git, ref)
    if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
    return read('packed-refs')
      .split('\n')
      .find(line => line.endsWith(` ${ref}`))
      ?.split(' ')[0]
  } catch {
    return undefined
  }
}
