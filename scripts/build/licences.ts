/** Licences of the packages bundled into files of `dist/`. */
import fs from 'node:fs'
import path from 'node:path'
import { root } from './root.ts'

interface Locked {
  /** Only for development. */
  readonly dev?: true
  readonly version?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  /** Binaries, one for each kind of machine; only the matching one is installed. */
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Readonly<Record<string, Locked>> } // written by npm
export const { packages } = lock

/**
 * Folders (`node_modules/…`) of the packages that contain these files. If `node_modules` is a link, the paths of files begin where it
 * leads to.
 */
export function packagesOf(files: readonly string[]): string[] {
  return [...new Set(files.flatMap(file => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))]
}

/** The packages and all of their dependencies. */
export function withDependencies(names: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (name: string, from: string) => {
    const at = folderOf(name, from)
    if (at === undefined || found.has(at)) return
    found.add(at)
    const { dependencies = {}, optionalDependencies = {} } = packages[at] ?? {}
    for (const each of Object.keys(dependencies)) add(each, at)
    for (const each of Object.keys(optionalDependencies)) {
      const binary = folderOf(each, at)
      if (binary !== undefined && fs.existsSync(path.join(root, binary))) add(each, at)
    }
  }
  for (const name of names) add(name, '')
  return [...found]
}

/** Resolves like Node: next to the importing package, then upwards. */
function folderOf(name: string, from: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules') - 1))) {
    const at = `${base === '' ? '' : `${base}/`}node_modules/${name}`
    if (at in packages) return at
    if (base === '') return undefined
  }
}

/** A text with each package's version and licence, and its licence file if there is one. */
export function licenceText(folders: readonly string[]): string {
  return folders
    .toSorted()
    .map(folder => {
      const { version = '', license = '' } = packages[folder] ?? {}
      const file = fs.readdirSync(path.join(root, folder)).find(name => /^licen[cs]e/i.test(name))
      const text = file === undefined ? '' : `\n\n${fs.readFileSync(path.join(root, folder, file), 'utf8').trim()}`
      return `${folder.replace(/^.*node_modules\//, '')} ${version} (${license})${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
