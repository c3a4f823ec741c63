import { readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * The test files under these paths; all of them without a path.
 * @throws Error for a path without tests, since an empty run would pass
 */
export function chooseTests(paths: readonly string[]): string[] {
  const all = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => `tests/${file.replaceAll(path.sep, '/')}`)
    .sort()
  if (paths.length === 0) return all
  return [
    ...new Set(
      paths.flatMap(given => {
        const wanted = path.relative('.', given).replaceAll(path.sep, '/')
        const found = all.filter(file => file === wanted || file.startsWith(`${wanted}/`))
        if (found.length === 0)
          throw new Error(
            `There is no test under ${given}. Paths begin with tests/; the value of a flag follows a =, as in --test-name-pattern=mute.`,
          )
        return found
      }),
    ),
  ].sort()
}
