/** The days of a file, of which few lines are checked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../support/properties.ts'
import { daysInFile } from '../../../operations/exchange/imports/days-in-file.ts'
import type { TimedHit, TimedLine } from '../../../operations/exchange/imports/import-hits.ts'

const HOUR = 3_600_000
const [FIRST, UNTIL] = [Date.UTC(2025, 2, 1), Date.UTC(2025, 2, 4, 12)]

interface Drawn {
  readonly at: number
  readonly kind: TimedHit['kind']
  readonly isValid: boolean
  /** Whether its time is known only once it is checked. */
  readonly isList: boolean
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  at: fc.integer({ min: 0, max: 100 }).map(hours => FIRST + hours * HOUR),
  kind: fc.constantFrom('pageview', 'event', 'engagement'),
  isValid: fc.boolean(),
  isList: fc.integer({ min: 0, max: 9 }).map(n => n === 0),
})

async function daysOf(lines: readonly Drawn[]) {
  let checked = 0
  const read = (recorded: unknown): TimedLine => {
    const { at, kind, isValid, isList } = recorded as Drawn
    return {
      at: isList ? undefined : at,
      hits() {
        checked++
        return isValid ? [{ at, kind }] : []
      },
    }
  }
  async function* pieces() {
    for (let i = 0; i < lines.length; i += 7) yield lines.slice(i, i + 7) as never[]
  }
  const days = await daysInFile('UTC', pieces(), { read, until: UNTIL, signal: new AbortController().signal })
  return { days, checked }
}

/** Checks every line. */
function expected(lines: readonly Drawn[]) {
  const days = new Map<number, Drawn[]>()
  for (const line of lines.filter(({ at, isValid }) => isValid && at <= UNTIL)) {
    const day = Math.floor(line.at / (24 * HOUR))
    days.set(day, [...(days.get(day) ?? []), line])
  }
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([day, of]) => ({
      day,
      first: Math.min(...of.map(({ at }) => at)),
      last: Math.max(...of.map(({ at }) => at)),
      brings: of.some(({ kind }) => kind !== 'engagement'),
    }))
}

test('the days of a file are as if every line had been checked, in any order of lines', async () => {
  const orders: readonly ((a: Drawn, b: Drawn) => number)[] = [() => 0, (a, b) => a.at - b.at, (a, b) => b.at - a.at]
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { maxLength: 250 }), fc.constantFrom(...orders), async (lines, order) => {
      const sorted = lines.toSorted(order)
      assert.deepEqual((await daysOf(sorted)).days, expected(sorted))
    }),
    { numRuns: 300 },
  )
})

test('of lines in the order of their times, few are checked', async () => {
  const lines = Array.from({ length: 10_000 }, (_, i): Drawn => ({ at: FIRST + i * 8_000, kind: 'pageview', isValid: true, isList: false }))
  for (const some of [lines, lines.toReversed()]) {
    const { days, checked } = await daysOf(some)
    assert.deepEqual(days, expected(some))
    assert.ok(checked < 250, `${checked}`)
  }
})
