/**
 * On CI, files of tests that failed beside others run once more, alone. They wait for killed processes, browsers and
 * servers, and a machine that stands still for a second fails one of 17,000 now and then. What failed first stays in the
 * output, and is named at its end: it is a fault as well, of the test or of what it tests.
 */
import { existsSync, readFileSync } from 'node:fs'

const MOST_FILES = 3

/**
 * @param files sources of the tests that failed
 * @returns false if there are many, and for what draws its input: another input may hide what the first one found
 */
export function mayRunAgain(files: readonly string[]): boolean {
  return files.length <= MOST_FILES && files.every(file => existsSync(file) && !/\bfc\.|\bfast-check\b/.test(readFileSync(file, 'utf8')))
}

export const verdict = (files: readonly string[], havePassed: boolean): string =>
  havePassed
    ? `\nFailed beside the others and passed alone, which is to be looked into: ${files.join(', ')}\n`
    : `\nFailed twice, beside the others and alone, of: ${files.join(', ')}\n`
