/** Conditions as SQL of ClickHouse over one row for each visit, like `mask.ts` and `met-hits.ts` over columns. */
import type { HitTest, ResolvedCondition } from './condition.ts'
import { type GoalBits, needsMore } from './goals.ts'

/** An expression that is 1 or 0; null if there is no SQL for it. */
type Expression = string | null

/** Most ids in SQL: the server takes about 0.1 ms to parse an id, and a query may contain a set several times. */
const MAX_IDS = 2_000

/** The visits that pass all of these. */
export function visitsPassing(conditions: readonly ResolvedCondition[]): Expression {
  if (conditions.length === 0) return 'copy > 0'
  // 18.16 is faster with bits. Current versions count arrays only of visits that passed the conditions before `and`.
  const isPlain = conditions.every(({ on }) => on === 'visit')
  return isPlain ? byBits(conditions.map(passing)) : joined(' and ', conditions.map(passing))
}

/** The hits that meet all of these, with `p` their page and `e` their event. */
export const hitsMeeting = (conditions: readonly HitTest[]): Expression =>
  conditions.length === 0 ? 'e >= 0' : joined(' and ', conditions.map(met))

function passing(condition: ResolvedCondition): Expression {
  switch (condition.on) {
    case 'visit':
      return amongFew(condition.column, condition.set)
    case 'page': // as `viewsOf` says it, so that the server counts once for the filter and what it narrows
      return amongFew('p', condition.set) && `(${viewsOf(condition.set)} ${condition.negated ? '= 0' : '> 0'})`
    case 'event': {
      const [one, ...more] = Array.from(condition.set.keys()).filter(id => id > 0 && condition.set[id] === 1)
      if (one !== undefined && more.length === 0) return condition.negated ? `not has(h_event, ${one})` : `has(h_event, ${one})`
      return seen(condition.negated, 'p, e', meeting(condition), 'h_page, h_event')
    }
    case 'goal':
      return seen(condition.negated, 'p, e', meeting(condition), 'h_page, h_event')
    case 'property':
      if (condition.property.gone) return null // what is kept of a property there says nothing of the event
      return seen(
        condition.negated,
        'k, v',
        joined(' and ', [`k = ${condition.property.key}`, amongFew('v', condition.set)]),
        'p_key, p_value',
      )
    case 'hits':
      return seen(false, 'p, e', hitsMeeting(condition.all), 'h_page, h_event')
    case 'any':
      return joined(' or ', condition.any.map(passing))
    case 'day':
    case 'place':
    case 'figure':
      return null
  }
}

/** Whether a hit passes; the callers of conditions on events and goals negate them. */
function meeting(test: HitTest): Expression {
  if (test.on === 'event') return joined(' and ', ['e > 0', amongFew('e', test.set)])
  if (test.on === 'goal') return hitsCompleting(test.bits)
  return test.on === 'both' || test.on === 'either' ? joined(test.on === 'both' ? ' and ' : ' or ', test.tests.map(met)) : null
}

function met(test: HitTest): Expression {
  const passes = meeting(test)
  return passes && 'negated' in test && test.negated ? `not ${passes}` : passes
}

/** The hits that complete a goal, with `p` their page and `e` their event. @param bit of the requested goals */
export function hitsCompleting(goals: GoalBits, bit = 2 ** 32 - 1): Expression {
  if (needsMore(goals, bit)) return null
  const { ofPage, ofEvent } = goals
  const [pages, events] = [ofPage, ofEvent].map(bits => bits.map(of => of & bit))
  return pages && events ? joined(' or ', [joined(' and ', ['e = 0', amongFew('p', pages)]), amongFew('e', events)]) : null
}

function seen(negated: boolean, names: string, met: Expression, arrays: string): Expression {
  const found = met && `arrayExists((${names}) -> ${met}, ${arrays})`
  return found && (negated ? `not ${found}` : found)
}

/** How many pages of a set a visit viewed. */
export const viewsOf = (pages: Uint8Array): string => `arrayCount((p, e) -> e = 0 and ${among('p', pages)}, h_page, h_event)`

const joined = (by: ' and ' | ' or ', parts: readonly Expression[]): Expression => (parts.includes(null) ? null : `(${parts.join(by)})`)

/** `and` of what is 1 or 0. */
const byBits = (parts: readonly Expression[]): Expression =>
  parts.includes(null) ? null : parts.reduce((all, one) => `bitAnd(${all}, ${one})`)

const amongFew = (name: string, set: ArrayLike<number>): Expression => {
  let ids = 0
  for (let id = 0; id < set.length; id++) ids += set[id] === 0 ? 0 : 1
  return Math.min(ids, set.length - ids) > MAX_IDS ? null : among(name, set)
}

/** Whether a column has one of the ids that are not 0 in a set: lists these ids, or the others if they are fewer. */
export function among(name: string, set: ArrayLike<number>): string {
  const [chosen, others]: [number[], number[]] = [[], []]
  for (let id = 0; id < set.length; id++) (set[id] === 0 ? others : chosen).push(id)
  if (chosen.length === 0) return `${name} < 0` // an id never is
  if (others.length === 0) return `${name} >= 0`
  if (chosen.length === 1) return `${name} = ${chosen[0]}` // several times as fast as a set of one
  return chosen.length <= others.length ? `${name} in (${chosen.join()})` : `${name} not in (${others.join()})`
}
