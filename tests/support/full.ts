/**
 * The checks that only `npm test -- --full` runs. A normal run takes a part of a long list and one of several ways to the same end, the
 * same ones every time.
 */
import { test } from 'node:test'

/** Whether this is `npm test -- --full`: every suite on both engines, random kills, new seeds. */
export const isFull = process.env.TEST_FULL === '1'

/** All of a list in a full run; otherwise `count` of its items, evenly spread. */
export function someOf<T>(all: readonly T[], count: number): readonly T[] {
  if (isFull || count >= all.length) return all
  return all.filter((_, i) => (i * count) % all.length < count)
}

/** A test that a normal run has where this is so, and a full run everywhere. */
export const testIfFullOr = (isUsual: boolean): typeof test =>
  isFull || isUsual ? test : (((..._: Parameters<typeof test>) => Promise.resolve()) as typeof test)

/** A test that only a full run has. */
export const testIfFull = testIfFullOr(false)
