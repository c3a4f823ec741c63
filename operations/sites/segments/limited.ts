/** Refuses dimensions that a caller may not use, in conditions and by name. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import type { LimitCheck, Within } from '../../../runtime/table/report-limits.ts'
import { m } from './messages.ts'

/** Checks a dimension name, or a list of them. */
export const otherDimensions: LimitCheck = (value, { pointer, within }) =>
  Array.isArray(value) ? value.flatMap((name, i) => faultsOf(name, `${pointer}/${i}`, within)) : faultsOf(value, pointer, within)

/** Checks a list of property keys. */
export const otherProperties: LimitCheck = (value, { pointer, within }) =>
  (Array.isArray(value) ? value : []).flatMap((key, i) => faultsOf(`property:${String(key)}`, `${pointer}/${i}`, within))

/** Checks a property key. */
export const otherProperty: LimitCheck = (value, { pointer, within }) => faultsOf(`property:${String(value)}`, pointer, within)

/** Checks conditions of reports, including nested ones. Other checks report malformed conditions. */
export const otherConditions: LimitCheck = (value, { pointer, within, inputs }) => {
  if (within.dimensions === null || !Array.isArray(value)) return []
  const [dimension] = value as unknown[]
  if (typeof dimension === 'string') return faultsOf(dimension, `${pointer}/0`, within)
  return value.flatMap((each: unknown, i) =>
    isObject(each)
      ? Object.entries(each).flatMap(([name, list]) => otherConditions(list, { pointer: `${pointer}/${i}/${name}`, within, inputs }))
      : otherConditions(each, { pointer: `${pointer}/${i}`, within, inputs }),
  )
}

function faultsOf(name: unknown, pointer: string, { dimensions }: Within): Fault[] {
  if (dimensions === null || dimensions.has(String(name))) return []
  const message = m.not_shared({ field: fieldAt(pointer), known: [...dimensions] })
  return [{ pointer, code: 'not_in_enum', message }]
}
