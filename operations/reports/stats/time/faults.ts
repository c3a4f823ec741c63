/** Faults of time parameters. They are returned together and never thrown. */
import type { Fault as InputFault } from '../../../../runtime/table/errors.ts'
import type { Message } from '../../../../runtime/texts/message.ts'

export type TimeField = 'period' | 'from' | 'to' | 'compare' | 'compare_from' | 'compare_to' | 'interval'

/** One fault of an input; `code` is a detail code of the API's error envelope. */
export interface Fault {
  readonly field: TimeField
  readonly code: 'required' | 'invalid_format' | 'too_small' | 'too_large' | 'mismatch'
  readonly message: Message
}

export type Resolved<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] }

export const resolved = <T>(value: T): Resolved<T> => ({ ok: true, value })

export const refused = (...faults: readonly Fault[]): { ok: false; faults: readonly Fault[] } => ({ ok: false, faults })

export const faultsOf = (outcome: Resolved<unknown>): readonly Fault[] => (outcome.ok ? [] : outcome.faults)

/** Converts time faults to faults of an operation's input. */
export const inInput = (faults: readonly Fault[]): InputFault[] =>
  faults.map(({ field, code, message }) => ({ pointer: `/${field}`, code, message }))
