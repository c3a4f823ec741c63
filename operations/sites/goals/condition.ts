/**
 * The condition that completes a goal. A page goal needs a path, an event goal an event; both may require a property.
 */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import { among } from '../../../runtime/table/schema.ts'
import { storedPath, text } from '../collection/index.ts'
import { type Kind, kinds } from './records.ts'
import { type Message, type MessageValue, valueTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

export interface Condition {
  readonly kind: Kind
  readonly path: string | null
  readonly event: string | null
  readonly property: string | null
  readonly value: string | null
}
export type ConditionInput = { readonly [K in keyof Condition]?: Condition[K] | undefined }

/**
 * Returns the condition of a new or changed goal. A field that is left out keeps its value, unless the kind does not use it.
 * @throws Failure 422 with every fault
 */
export function conditionOf(given: ConditionInput, before: Condition): Condition {
  const { condition, faults } = resolveCondition(given, before)
  failWith(faults)
  return condition
}

/**
 * Returns the name and the condition of a new goal.
 * @throws Failure 422 with every fault
 */
export function draftOf(input: ConditionInput & { readonly kind: Kind; readonly name?: string | undefined }): Condition & { name: string } {
  const completed = conditionOf(input, { kind: input.kind, path: null, event: null, property: null, value: null })
  return { name: input.name ?? oneLine(completed.path ?? completed.event ?? ''), ...completed }
}

/**
 * Like `conditionOf`, but returns the faults.
 * @param pointer prefix of the fields' pointers in the input
 */
export function resolveCondition(given: ConditionInput, before: Condition, pointer = ''): { condition: Condition; faults: Fault[] } {
  const { kind = before.kind, property = before.property, value = before.value } = given
  const [own, other] = kind === 'page' ? (['path', 'event'] as const) : (['event', 'path'] as const)
  const { [own]: wanted = before[own] } = given
  const faults: Fault[] = []
  const fault = (name: string, code: Fault['code'], say: (field: MessageValue) => Message) => {
    const at = `${pointer}/${name}`
    faults.push({ pointer: at, code, message: say(fieldAt(at)) })
  }
  const ofKind = valueTerm(kind)
  if (wanted === null) fault(own, 'required', field => m.field_required({ field, kind: ofKind }))
  if (typeof given[other] === 'string') fault(other, 'mismatch', field => m.no_field({ field, kind: ofKind }))
  if (value !== null && property === null) fault('property', 'required', field => m.property_required({ field }))
  const [path, event] = own === 'path' ? [wanted, null] : [null, wanted]
  const condition = { kind, path: stored(path, storedPath), event: stored(event), property: stored(property), value: stored(value) }
  return { condition, faults }
}

/** Converts a value to the form in which hits are stored. */
const stored = (given: string | null, form: (given: string) => string = text) => given && (form(given) || given)

/** Returns faults for missing and superfluous fields of a goal of this kind. Does not check their values. */
export function fieldFaults(kind: unknown, _: string, fields: Readonly<Record<string, unknown>>): Fault[] {
  const textOf = (field: string) => {
    const value = fields[field]
    return value === undefined || value === null ? null : typeof value === 'string' ? value : ''
  }
  const given = { path: textOf('path'), event: textOf('event'), property: textOf('property'), value: textOf('value') }
  const own = among(kinds, String(kind))
  return resolveCondition({ ...given, kind: own }, { kind: own, path: null, event: null, property: null, value: null }).faults
}
