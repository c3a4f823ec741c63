/** Values of dimensions as people call them in their language. What sites and visitors named stays as it is. */
import { nameOfCode } from '../../runtime/languages/code-names.ts'
import { inLanguage, type Reader } from './languages/index.ts'

/** Dimensions whose values are words of the service itself. */
const ours: ReadonlySet<string> = new Set(['channel', 'device', 'weekday'])

/** @param label what the service calls it in English */
export const wordOfOurs = (dimension: string, label: string, reader: Reader): string =>
  ours.has(dimension) ? inLanguage(reader, label) : label

/** The value of a condition as people read it. */
export const valueIn = (dimension: string, value: string, reader: Reader): string =>
  nameOfCode(dimension, value, reader) ?? wordOfOurs(dimension, value, reader)
