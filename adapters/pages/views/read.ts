/** Parts of answers as views read them: what is missing is empty, never an error. */
import type { TSchema } from '@sinclair/typebox'
import type { PointInterval } from '../../../runtime/ui/format.ts'
import type { Job } from '../../../runtime/ui/job-state.tsx'
import { Message, type Sentence } from '../../../runtime/texts/message.ts'
import { isObject } from '../../../runtime/values/json.ts'

export type Row = Readonly<Record<string, unknown>>
export const list = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isObject) : [])
export const record = (value: unknown): Row => (isObject(value) ? value : {})
export const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const sentence = (value: unknown): Sentence => (value instanceof Message ? value : text(value))

const intervals = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export const intervalIn = (text: string): PointInterval => intervals.find(each => each === text) ?? 'day'

/** The parts of a job that `JobState` shows. */
export const jobIn = (row: Row): Job => ({
  status: text(row.status),
  progress: number(row.progress),
  error: { message: sentence(record(row.error).message) },
})

/** Fields of a nested record, or of the records of a nested list. */
export function fieldsOf(schema: TSchema, name: string): Readonly<Record<string, TSchema | undefined>> {
  const nested: TSchema | undefined = schema.properties?.[name]
  return (nested?.type === 'array' ? nested.items : nested)?.properties ?? {}
}
