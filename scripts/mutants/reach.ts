/** Which sources each test file runs, as `npm test -- --reach` observed it. */
import fs from 'node:fs'
import path from 'node:path'

const kept = 'dist/tests/reach.json'

/** Sources by test file. */
export type Reach = Readonly<Record<string, readonly string[]>>

/** Adds what a run observed. @param folder with a file of each test file */
export function keepReach(folder: string): void {
  const observed = fs.readdirSync(folder).map(name => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as Reach)
  fs.writeFileSync(kept, JSON.stringify(Object.assign({}, readReach('.'), ...observed)))
}

/** @param root of a checkout; without a run that observed it there is nothing */
export function readReach(root: string): Reach {
  const file = path.join(root, kept)
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Reach) : {}
}
