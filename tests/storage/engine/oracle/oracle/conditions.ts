/** Conditions of filters and goals. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import type { OracleGoal } from '../oracle.ts'

export const positiveOf: Record<string, string> = {
  is_not: 'is',
  none_of: 'any_of',
  not_contains: 'contains',
  not_regex: 'regex',
}

/** `*` within a segment, `**` anything. The patterns here have no other special characters. */
const wildcard = (pattern: string) => new RegExp(`^${pattern.replace(/\*\*|\*/g, p => (p === '**' ? '.*' : '[^/]*'))}$`)

/** Whether a hit is what a goal asks for, its engagement apart. Goals without a page or an event take every pageview. */
export function isAsked(one: NewHit, { path, regex, event, property, value, properties = [] }: OracleGoal): boolean {
  if (event !== undefined ? one.kind !== 'event' || one.event !== event : one.kind !== 'pageview') return false
  if (path !== undefined && !wildcard(path).test(one.page)) return false
  if (regex !== undefined && !new RegExp(regex).test(one.page)) return false
  const all = [...(property === undefined ? [] : [{ property, value: value ?? null }]), ...properties]
  return all.every(wanted => one.props.some(([key, text]) => key === wanted.property && (wanted.value ?? text) === text))
}

const blanks: Record<string, string> = { channel: 'Direct / None', source: 'Direct / None', referrer: 'Direct / None' }

export function passes(operator: string, wanted: unknown, value: string, dimension: string, goals: readonly OracleGoal[]): boolean {
  const name = dimension === 'goal' ? (goals.find(goal => goal.id === value)?.name ?? '') : value
  const blank = blanks[dimension] ?? '(not set)'
  const exact = (one: unknown) => one === value || one === name || (value === '' && one === blank)
  const number = /^[+-]?\d+(\.\d+)?$/.test(name) ? Number(name) : Number.NaN
  switch (operator) {
    case 'is':
      return exact(wanted)
    case 'any_of':
      return (wanted as string[]).some(exact)
    case 'contains':
      return name.toLowerCase().includes(String(wanted).toLowerCase())
    case 'starts_with':
      return name.toLowerCase().startsWith(String(wanted).toLowerCase())
    case 'regex':
      return new RegExp(String(wanted)).test(name)
    case 'gt':
      return number > Number(wanted)
    case 'lt':
      return number < Number(wanted)
    case 'between':
      return number >= (wanted as number[])[0]! && number <= (wanted as number[])[1]!
    default:
      throw new Error(operator)
  }
}
