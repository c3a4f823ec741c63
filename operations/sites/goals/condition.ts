/** The condition that completes a goal: which fields each kind has, and what a change keeps. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import { among } from '../../../runtime/table/schema.ts'
import { statesOf } from '../../../storage/engine/vocabulary/operators.ts'
import { patternMessage } from '../channel-rules/index.ts'
import { storedPath, text } from '../collection/index.ts'
import { type Kind, kinds, MAX_EVENT_LENGTH, MAX_STATES, type PropertyCondition } from './records.ts'
import { type Message, type MessageValue, valueTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

export interface Condition {
  readonly kind: Kind
  readonly path: string | null
  readonly regex: string | null
  readonly event: string | null
  readonly depth: number | null
  readonly duration_seconds: number | null
  readonly selector: string | null
  readonly property: string | null
  readonly value: string | null
  readonly properties: readonly PropertyCondition[]
}
type Field = Exclude<keyof Condition, 'kind'>
export type ConditionInput = { readonly [K in keyof Condition]?: Condition[K] | undefined }

/** No condition. */
export const noCondition: Omit<Condition, 'kind'> = Object.freeze({
  ...{ path: null, regex: null, event: null, depth: null, duration_seconds: null, selector: null, property: null, value: null },
  properties: Object.freeze([]),
})

const ofPages = ['path', 'regex'] as const
const ofHits = ['property', 'value', 'properties'] as const
/** The fields of each kind; the first one is required. For a page, a pattern may replace the path. */
export const fieldsOf: Readonly<Record<Kind, readonly Field[]>> = {
  page: [...ofPages, ...ofHits],
  event: ['event', ...ofHits],
  scroll: ['depth', ...ofPages, ...ofHits],
  duration: ['duration_seconds', ...ofPages],
  click: ['selector', 'event'],
}

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
  const completed = conditionOf(input, { kind: input.kind, ...noCondition })
  return { name: input.name ?? usualName(completed), ...completed }
}

function usualName({ kind, path, regex, event, depth, duration_seconds, selector }: Condition): string {
  const page = path ?? regex ?? ''
  if (kind === 'scroll') return oneLine(`${page} ${depth}%`)
  if (kind === 'duration') return oneLine(`${page} ${duration_seconds} s`)
  return oneLine(kind === 'page' ? page : (event ?? selector ?? ''))
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/**
 * Like `conditionOf`, but returns the faults.
 * @param pointer prefix of the fields' pointers in the input
 */
export function resolveCondition(given: ConditionInput, before: Condition, pointer = ''): { condition: Condition; faults: Fault[] } {
  const { kind = before.kind } = given
  const own = fieldsOf[kind]
  const faults: Fault[] = []
  const fault = (name: Field, code: Fault['code'], say: (field: MessageValue) => Message) => {
    const at = `${pointer}/${name}`
    faults.push({ pointer: at, code, message: say(fieldAt(at)) })
  }
  const ofKind = valueTerm(kind)
  const has = (name: Field) => own.includes(name)
  /** The given one replaces the other. */
  const isReplaced = (name: Field, by: Field) => given[name] === undefined && has(by) && !isEmpty(given[by])
  const settled = <F extends Field>(name: F): Condition[F] | null =>
    !has(name) || (name === 'path' && isReplaced('path', 'regex')) || (name === 'regex' && isReplaced('regex', 'path'))
      ? null
      : ((given[name] as Condition[F] | undefined) ?? (given[name] === null ? null : before[name]))
  const [path, regex, event, selector] = [settled('path'), settled('regex'), settled('event'), settled('selector')]
  const [property, value, properties] = [settled('property'), settled('value'), settled('properties') ?? []]
  const [first] = own
  if (first && isEmpty(settled(first)) && !(kind === 'page' && regex !== null))
    fault(first, 'required', field => (kind === 'page' ? m.page_required({ field }) : m.field_required({ field, kind: ofKind })))
  for (const name of Object.keys(noCondition) as Field[])
    if (!has(name) && !isEmpty(given[name])) fault(name, 'mismatch', field => m.no_field({ field, kind: ofKind }))
  if (path !== null && regex !== null) fault('regex', 'mismatch', field => m.path_or_regex({ field }))
  if (regex !== null) {
    const message = statesOf(regex) > MAX_STATES ? null : patternMessage(regex, fieldAt(`${pointer}/regex`))
    if (message) fault('regex', 'invalid_format', () => message)
    else if (statesOf(regex) > MAX_STATES) fault('regex', 'too_large', field => m.regex_too_large({ field, most: MAX_STATES }))
  }
  if (value !== null && property === null) fault('property', 'required', field => m.property_required({ field }))
  const condition: Condition = {
    kind,
    path: stored(path, storedPath),
    regex,
    event: stored(event ?? (kind === 'click' && selector ? oneLine(`Click: ${selector}`).slice(0, MAX_EVENT_LENGTH) : null)),
    depth: settled('depth'),
    duration_seconds: settled('duration_seconds'),
    selector,
    property: stored(property),
    value: stored(value),
    properties: properties.map(one => ({ property: stored(one.property) ?? one.property, value: stored(one.value) })),
  }
  return { condition, faults }
}

/** Converts a value to the form in which hits are stored. */
const stored = (given: string | null, form: (given: string) => string = text) => given && (form(given) || given)

const textFields = ['path', 'regex', 'event', 'selector', 'property', 'value'] as const
const numberFields = ['depth', 'duration_seconds'] as const

/** Returns faults for missing and superfluous fields of a goal of this kind. Does not check their values. */
export function fieldFaults(kind: unknown, _: string, fields: Readonly<Record<string, unknown>>): Fault[] {
  const known = (name: string, type: 'string' | 'number', other: unknown) => {
    const value = fields[name]
    return value === undefined || value === null ? null : typeof value === type ? value : other
  }
  const given: Record<string, unknown> = { kind: among(kinds, String(kind)) }
  for (const name of textFields) given[name] = known(name, 'string', '')
  for (const name of numberFields) given[name] = known(name, 'number', 0)
  const own = { ...(given as ConditionInput), kind: among(kinds, String(kind)) }
  return resolveCondition(own, { ...noCondition, kind: own.kind }).faults
}
