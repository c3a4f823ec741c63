/** Calls of one answer, and what is read of their answers. */
import { isObject } from '../../../../runtime/values/json.ts'
import type { Asking } from '../answered.ts'
import type { QueryRecord } from '../records.ts'
import { Unclear } from './extract.ts'
import { m } from '../messages.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface Reads {
  readonly queries: QueryRecord[]
  /** @throws Unclear if it is refused: no figure is better than a wrong one */
  ask(tool: string, input: Fields): Promise<{ readonly data: unknown; readonly meta: Fields }>
}

export function openReads({ read, site }: Asking): Reads {
  const queries: QueryRecord[] = []
  return {
    queries,
    async ask(tool, given) {
      const input = { site_id: site.id, ...given }
      const answer = await read({ operation: tool, input })
      if (answer.failure) {
        const { message, details } = answer.failure
        const error = details[0]?.message ?? message
        queries.push({ tool, input, status: 'error', error: String(error) })
        throw new Unclear(m.could_not_be_read({ error }))
      }
      queries.push({ tool, input, status: 'ok', error: null })
      return answer
    },
  }
}

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
export const rowsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])
/** A figure of an answer. @throws Error if it is missing, because no other figure may replace it */
export function numberOf(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number') throw new Error(`the answer has no ${name}`)
  return value
}
export const textOf = (fields: Fields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
