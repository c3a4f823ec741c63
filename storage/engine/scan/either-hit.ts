/** A test that a hit passes if it passes one of several. Tests on events, and tests on goals, become one test. */
import type { HitTest, OnHit } from './condition.ts'
import { eitherBits } from './goals.ts'

export function eitherHit(tests: readonly HitTest[]): HitTest {
  const events = tests.filter(isPlain('event'))
  const goals = tests.filter(isPlain('goal'))
  const others = tests.filter(test => !events.includes(test as OnEvent) && !goals.includes(test as OnGoal))
  const joined: HitTest[] = [
    ...(events.length > 0 ? [events.reduce(eitherEvent)] : []),
    ...(goals.length > 0 ? [goals.reduce(eitherGoal)] : []),
    ...others,
  ]
  const [first] = joined
  return first && joined.length === 1 ? first : { on: 'either', tests: joined }
}

type OnEvent = Extract<OnHit, { on: 'event' }>
type OnGoal = Extract<OnHit, { on: 'goal' }>

const isPlain =
  <On extends 'event' | 'goal'>(on: On) =>
  (test: HitTest): test is Extract<OnHit, { on: On }> =>
    test.on === on && !test.negated

const eitherEvent = (one: OnEvent, other: OnEvent): OnEvent => ({ ...one, set: one.set.map((passes, id) => passes | (other.set[id] ?? 0)) })

const eitherGoal = (one: OnGoal, other: OnGoal): OnGoal => ({ ...one, bits: eitherBits(one.bits, other.bits) })
