/**
 * A form that is drawn again with what is typed, and calls nothing: with the fields of another kind, with a list that has
 * one item more or less, or checked while someone fills it in. Scripts replace the form in place; without them, the button
 * that was pressed loads the page.
 */
import type { Fault } from '../../runtime/table/errors.ts'
import { faultsOfInput } from '../../runtime/call/read-input.ts'
import { withDefaults } from '../../runtime/table/validate.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { draftField } from '../../runtime/ui/fields/redraw.tsx'
import { proposedField } from '../../runtime/ui/fields/control-props.ts'

export interface Draft {
  readonly does: 'show' | 'check' | 'add' | 'remove' | 'up' | 'down' | 'fill'
  /** The list or the item that it is about. */
  readonly pointer: string
  /** The values of a list that `fill` sets. */
  readonly values?: readonly string[]
}

/** Returns the request of a form that is to be drawn again; undefined if the form is sent. */
export function draftIn(typed: URLSearchParams): Draft | undefined {
  const [, does, pointer = '', values] =
    /^(show|check|add|remove|up|down|fill)(?: (\/[^\s]{1,200}))?(?: (\S{1,500}))?$/.exec(typed.get(draftField) ?? '') ?? []
  return does === undefined
    ? undefined
    : { does: does as Draft['does'], pointer, ...(values !== undefined && { values: values.split(',') }) } // of the pattern
}

/** The typed values with the change of the list. Items that are not there are left as they are. */
export function drafted(values: Readonly<Record<string, unknown>>, { does, pointer, values: list = [] }: Draft): Record<string, unknown> {
  if (does === 'show' || does === 'check') return { ...values }
  const path = pointer.slice(1).split('/')
  if (does === 'fill') return { ...values, ...(changedAt(values, path, () => [...list]) as object) }
  const at = does === 'add' ? -1 : Number(path.pop())
  const change = (list: readonly unknown[]): unknown[] => {
    if (does === 'add') return [...list, null]
    const changed = [...list]
    if (!Number.isInteger(at) || at < 0 || at >= changed.length) return changed
    const [item] = changed.splice(at, 1)
    if (does !== 'remove') changed.splice(Math.max(0, at + (does === 'up' ? -1 : 1)), 0, item)
    return changed
  }
  return { ...values, ...(changedAt(values, path, change) as object) }
}

/** The value with the list at a path changed; arrays and records on the way are copied. */
function changedAt(value: unknown, path: readonly string[], change: (list: readonly unknown[]) => unknown[]): unknown {
  const [first, ...others] = path
  if (first === undefined) return change(Array.isArray(value) ? value : [])
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === first ? changedAt(item, others, change) : (item as unknown)))
  if (typeof value !== 'object' || value === null) return others.length === 0 ? { [first]: change([]) } : value
  const record = value as Readonly<Record<string, unknown>>
  const inner = Object.hasOwn(record, first) ? record[first] : undefined
  return { ...record, [first]: changedAt(inner, others, change) }
}

/** Faults of what is typed, as the call reports them before it reads anything. */
export function faultsWhile(operation: NamedOperation, values: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { input } = withDefaults(operation.input, values)
  return faultsOfInput(operation, input)
}

/** The texts that a sent form had proposed, by field. */
export function proposedIn({ input }: NamedOperation, typed: URLSearchParams): Record<string, string> {
  const names = Object.keys(input.properties).filter(name => typed.has(proposedField(`/${name}`)))
  return Object.fromEntries(names.map(name => [name, typed.get(proposedField(`/${name}`)) ?? '']))
}
