/** The tests of a mutant, the most likely to notice it first. */
import fs from 'node:fs'
import path from 'node:path'
import type { Reach } from './reach.ts'

/**
 * @param reach tests that are in it and do not run this file are left out; without any that does, none is
 * @returns lists of paths, each for one `npm test -- …`; together they are all tests of the checkout that may notice it
 */
export function stagesOf(root: string, file: string, reach: Reach): string[][] {
  const isReached = Object.values(reach).some(sources => sources.includes(file))
  const mayNotice = (test: string) => !isReached || startsProcesses(test) || (reach[test]?.includes(file) ?? true)
  const tests = fs
    .readdirSync(path.join(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `tests/${name.replaceAll(path.sep, '/')}`)
    .filter(mayNotice)
    .sort()
  const folder = path.dirname(file).replace(/^operations\//, '')
  const near = mirrors(folder)
  const [wing = ''] = folder.split('/')
  const levels = [
    (name: string) => near.some(prefix => name.startsWith(prefix)),
    (name: string) => name.startsWith('tests/contract/'),
    (name: string) => name.startsWith(`tests/${wing}/`),
    (name: string) => !startsProcesses(name),
    () => true,
  ]
  const left = new Set(tests)
  return levels
    .map(isOfLevel => {
      const chosen = [...left].filter(isOfLevel)
      for (const name of chosen) left.delete(name)
      return chosen
    })
    .filter(stage => stage.length > 0)
}

/** `npm test -- --reach` does not observe processes. */
const startsProcesses = (name: string): boolean => /^tests\/(crash|browser|tracker|scripts)\//.test(name)

/** `watch/alerts` is tested by what begins with `tests/watch/alerts`, or else with `tests/watch/`. */
const mirrors = (folder: string): string[] => [`tests/${folder}/`, `tests/${folder}.`]
