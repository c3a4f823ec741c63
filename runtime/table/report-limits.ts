/**
 * Limits of a caller's reports besides its conditions: how far back they reach, which dimensions may be asked about,
 * which fields of answers it does not get (a shared link's limits). Inputs that could reach further say so themselves.
 */
import type { TSchema } from '@sinclair/typebox'
import type { Fault } from './errors.ts'
import { isObject } from '../values/json.ts'

export interface Limits {
  /** Reports begin at most so many days ago, today included; null: as early as there is anything. */
  readonly maxDays: number | null
  /** Dimensions that may be asked about; null: all. */
  readonly dimensions: ReadonlySet<string> | null
  /** Fields that are left out of answers, wherever they stand. */
  readonly hidden: ReadonlySet<string>
}

/** The limits in one place at one time: the days are those of its time zone. */
export interface Within extends Limits {
  readonly now: number
  /** IANA name. */
  readonly zone: string
}

/** Faults of an input's value, which is valid otherwise. @param beside the other inputs */
export type LimitCheck = (value: unknown, pointer: string, within: Within, beside: Readonly<Record<string, unknown>>) => readonly Fault[]

/** Marks an input that could reach beyond a caller's limits. */
export const limitedBy = Symbol('limited by')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [limitedBy]?: LimitCheck
  }
}

/** @param fields of the input, those of the path too */
export function limitFaults(
  fields: Readonly<Record<string, TSchema>>,
  value: Readonly<Record<string, unknown>>,
  within: Within,
): readonly Fault[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const check: LimitCheck | undefined = schema[limitedBy]
    return check && value[name] !== undefined ? check(value[name], `/${name}`, within, value) : []
  })
}

/** The answer without what is hidden from the caller. */
export function concealed(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(each => concealed(each, hidden))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !hidden.has(name))
      .map(([name, each]) => [name, concealed(each, hidden)]),
  )
}
