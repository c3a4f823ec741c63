/** What completes a goal: a page goal has a path, an event goal an event, and both may ask for a property. */
import { failWith, type Fault } from '../../runtime/errors.ts'
import type { Kind } from './records.ts'

export interface Condition {
  readonly kind: Kind
  readonly path: string | null
  readonly event: string | null
  readonly property: string | null
  readonly value: string | null
}
export type Given = { readonly [K in keyof Condition]?: Condition[K] | undefined }

/**
 * The condition of a new goal, or of one that is changed. A field left out keeps what it was, unless the kind has no
 * use for it.
 * @throws Failure 422 with every fault
 */
export function conditionOf(given: Given, before: Condition): Condition {
  const { kind = before.kind, property = before.property, value = before.value } = given
  const [own, other] = kind === 'page' ? ['path', 'event'] as const : ['event', 'path'] as const
  const { [own]: wanted = before[own] } = given
  const faults: Fault[] = []
  if (wanted === null) {
    faults.push({ pointer: `/${own}`, code: 'required', message: `${own} is required of ${kind} goals.` })
  }
  if (typeof given[other] === 'string') {
    const message = `${other} is no field of ${kind} goals; leave it out.`
    faults.push({ pointer: `/${other}`, code: 'mismatch', message })
  }
  if (value !== null && property === null) {
    faults.push({ pointer: '/property', code: 'required', message: 'property is required with a value.' })
  }
  failWith(faults)
  return { kind, path: own === 'path' ? wanted : null, event: own === 'event' ? wanted : null, property, value }
}
