/** Operations that destroy a lot want its name typed again: nothing else would stop a mistaken call of an agent (docs/decisions.md §1). */
import { Type } from '@sinclair/typebox'
import { fail } from './errors.ts'
import { fieldTerm, type Message } from '../texts/message.ts'
import { m } from './messages.ts'

export const confirmInput = (what: string) => Type.String({ maxLength: 300, description: `${what}, typed again.` })

/** @throws Failure `confirmation_mismatch` unless one of the names is repeated, letter for letter */
export function confirmed(confirm: string, names: readonly string[], what: Message): void {
  if (names.includes(confirm)) return
  const message = m.repeat({ field: fieldTerm('confirm'), what })
  fail('confirmation_mismatch', undefined, { details: [{ pointer: '/confirm', code: 'mismatch', message }] })
}
