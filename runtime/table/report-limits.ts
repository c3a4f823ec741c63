/**
 * Limits of a caller's reports in addition to its conditions: how far back they reach, which dimensions they may use, and
 * which fields their answers omit (for example the limits of a shared link). Inputs that could reach further declare a check.
 */
import type { TSchema } from '@sinclair/typebox'
import type { Fault } from './errors.ts'
import { isObject } from '../values/json.ts'

export interface Limits {
  /** Reports begin at most this many days ago, today included; null: no limit. */
  readonly maxDays: number | null
  /** Dimensions that reports may use; null: all. */
  readonly dimensions: ReadonlySet<string> | null
  /** Fields that are removed from answers at every level. */
  readonly hidden: ReadonlySet<string>
}

/** The limits in one place at one time, by the days of its time zone. */
export interface Within extends Limits {
  readonly now: number
  /** IANA name. */
  readonly zone: string
}

interface Checked {
  readonly pointer: string
  readonly within: Within
  /** All inputs of the call. */
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Finds the faults of a value that is otherwise valid. */
export type LimitCheck = (value: unknown, checked: Checked) => readonly Fault[]

/** Marks an input that could reach beyond a caller's limits. */
export const limitedBy = Symbol('limited by')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [limitedBy]?: LimitCheck
  }
}

/** @param fields of the input, also from the path */
export function limitFaults(
  fields: Readonly<Record<string, TSchema>>,
  value: Readonly<Record<string, unknown>>,
  within: Within,
): readonly Fault[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const check: LimitCheck | undefined = schema[limitedBy]
    return check && value[name] !== undefined ? check(value[name], { pointer: `/${name}`, within, inputs: value }) : []
  })
}

/** The answer without the hidden fields. */
export function concealed(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(each => concealed(each, hidden))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !hidden.has(name))
      .map(([name, each]) => [name, concealed(each, hidden)]),
  )
}
