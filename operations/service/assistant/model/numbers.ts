/**
 * Marks numbers of a model's answer that no result holds: a model may write any. A number counts as held where a result
 * has it as it is, in another unit (cents, milliseconds, seconds) or rounded as it is written; and where the question or
 * the input of a query has it. Texts of results hold none, as visitors write them; dates are passed over.
 */
import { isObject } from '../../../../runtime/values/json.ts'

export const MARK = ' *(unverified)*'

/** Results with more numbers than this are looked at no further. */
const maxNumbers = 20_000

export interface Held {
  /** Data of results, and inputs of queries. */
  readonly results: readonly unknown[]
  readonly inputs: readonly unknown[]
  readonly question: string
}

const written = /(?<![\p{L}\p{N}_/.-])[-−]?\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?|(?<![\p{L}\p{N}_/.-])[-−]?\d+(?:\.\d+)?/gu
/** Where a number begins: digits within an id (`site_x57`) are none. */
const inText = /(?<![\p{L}\p{N}_])\d+(?:\.\d+)?/gu
const months = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
/** Numbers that are not figures: in code, dates, times of day, list markers. */
const passed = new RegExp(
  [
    '`[^`]*`',
    '\\d{4}-\\d\\d(?:-\\d\\d)?(?:T[\\d:.Z+-]+)?',
    `\\d{1,2}(?:st|nd|rd|th)?(?:\\s*[–-]\\s*\\d{1,2})?\\s+${months}(?:\\s+\\d{4})?`,
    `${months}\\s+\\d{1,2}(?:st|nd|rd|th)?(?:\\s*[–-]\\s*\\d{1,2})?(?:,?\\s+\\d{4})?`,
    `${months}\\s+\\d{4}`,
    '\\b\\d{1,2}:\\d\\d\\b',
    '^\\s*\\d{1,2}[.)]\\s',
    '\\bq[1-4]\\b',
  ].join('|'),
  'gimu',
)

export function marked(answer: string, held: Held): string {
  const numbers = numbersIn(held)
  const free: [number, number][] = [...answer.matchAll(passed)].map(match => [match.index, match.index + match[0].length])
  return answer.replace(written, (text: string, ...rest: unknown[]) => {
    const at = Number(rest.find(each => typeof each === 'number'))
    if (free.some(([from, to]) => at >= from && at < to)) return text
    return isHeld(text, numbers) ? text : `${text}${MARK}`
  })
}

/** Numbers of results by what they are, each as it may be written. */
interface Numbers {
  readonly whole: ReadonlySet<number>
  readonly all: readonly number[]
}

function isHeld(text: string, { whole, all }: Numbers): boolean {
  const plain = text.replace(/[,\u202f\u00a0 ]/g, '').replace('−', '-')
  const value = Math.abs(Number(plain))
  if (whole.has(value)) return true
  const digits = plain.split('.')[1]?.length ?? 0
  // Rounded as it is written; what is a whole number itself is not rounded to another.
  const half = 0.5 * 10 ** -digits + 1e-9
  return all.some(number => !Number.isInteger(number) && Math.abs(number - value) <= half)
}

/** Fields in minor units of money, and in milliseconds. */
const ofMoney = /revenue|order|cost|amount/
const ofTime = /duration|time|_ms$/

function numbersIn({ results, inputs, question }: Held): Numbers {
  const found = new Set<number>()
  const add = (number: number, field: string) => {
    found.add(Math.abs(number))
    if (ofMoney.test(field)) found.add(Math.abs(number) / 100 + 1e-12)
    if (!ofTime.test(field)) return
    const seconds = Math.round(Math.abs(number) / 1_000)
    for (const each of [seconds, Math.floor(seconds / 60), seconds % 60]) found.add(each)
    found.add(Math.abs(number) / 1_000 + 1e-12).add(Math.abs(number) / 60_000 + 1e-12)
  }
  const take = (text: string) => {
    for (const [number] of text.matchAll(inText)) found.add(Number(number))
  }
  const walk = (value: unknown, texts: boolean, field = ''): void => {
    if (found.size > maxNumbers) return
    if (typeof value === 'number') add(value, field)
    else if (typeof value === 'string') {
      if (texts && !/^\d{4}-\d\d-\d\d/.test(value)) take(value)
    } else if (Array.isArray(value)) for (const each of value) walk(each, texts, field)
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) walk(each, texts, name)
  }
  walk(results, false)
  walk(inputs, true)
  take(question.replace(/(\d)[,\u202f\u00a0 ](?=\d{3})/g, '$1'))
  return { whole: new Set([...found].map(number => Math.round(number * 1e6) / 1e6)), all: [...found] }
}
