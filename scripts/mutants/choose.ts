/** Chooses mutants of a checkout by a seed. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Mutation, mutationsOf } from './mutations.ts'

export interface Mutant extends Mutation {
  readonly file: string
  /**
   * Identifies it in another checkout, where its file may have another name: its function, its line and what changes.
   * Equal ones are numbered.
   */
  readonly key: string
}

const folders = ['operations', 'adapters', 'runtime', 'storage']
/** Words and data instead of code. */
const isText = (file: string): boolean => /(^|\/)(texts|languages)\//.test(file) || /\.(d|css)\.ts$|common-passwords/.test(file)

/** Every mutant of the checkout at this folder. */
export function allMutants(root: string): Mutant[] {
  const counts = new Map<string, number>()
  return folders
    .flatMap(folder => fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => path.join(folder, file)))
    .filter(file => /\.tsx?$/.test(file) && !isText(file))
    .sort((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1))
    .flatMap(file =>
      mutationsOf(file, fs.readFileSync(path.join(root, file), 'utf8')).map(mutation => {
        const name = `${mutation.place} | ${mutation.code} | ${mutation.kind}`
        const count = counts.get(name) ?? 0
        counts.set(name, count + 1)
        return { ...mutation, file, key: count === 0 ? name : `${name} | ${count + 1}` }
      }),
    )
}

/**
 * The first `count` items in an order that depends on the seed and on the key of each item, so that two checkouts with the same code get
 * the same mutants.
 */
export function chooseMutants(all: readonly Mutant[], seed: string, count: number): Mutant[] {
  const rank = (key: string) => createHash('sha256').update(`${seed} ${key}`).digest('hex')
  return all
    .map(mutant => ({ mutant, rank: rank(mutant.key) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
