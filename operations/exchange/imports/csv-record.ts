/**
 * One record of a CSV (RFC 4180). A field is quoted if it begins with a quote and another quote precedes a delimiter or the
 * end of the line. Every other quote is an ordinary character.
 */
import { MAX_LENGTH } from './record.ts'

/** The values of a record and how many lines it spans; `next` is where the next one begins. */
export interface CsvRecord {
  readonly values: readonly string[]
  readonly lines: number
  readonly next: number
}
/** A record, a fault, or `more` if the text does not contain the end of the record yet. */
export type Scanned = CsvRecord | { readonly fault: string } | 'more'

/** `end` is the position after the field: a delimiter, the end of a line, or the end of the file. */
type Field = { readonly value: string; readonly end: number } | { readonly fault: string } | 'more'

const tooLong = `the record is longer than ${MAX_LENGTH} characters`
const notClosed = { fault: 'a quote is never closed' }

/** @param isLast whether the file ends with the text */
export type Scan = (text: string, from: number, isLast: boolean) => Scanned

/** Scans a text from front to back, reading no part of it twice. */
export function recordScanner(delimiter: string): Scan {
  /** Where the next quote is; -1 if there is none. Searched once, because most lines have none. */
  let quote = { text: '', from: 0, at: -1 }
  const quoteFrom = (text: string, from: number): number => {
    const isKnown = quote.text === text && quote.from <= from && (quote.at === -1 || quote.at >= from)
    if (!isKnown) quote = { text, from, at: text.indexOf('"', from) }
    return quote.at
  }

  return (text, from, isLast) => {
    const lineEnd = text.indexOf('\n', from)
    const found = lineEnd === -1 ? text.length : lineEnd
    const firstQuote = quoteFrom(text, from)
    if (firstQuote !== -1 && firstQuote < found) return quoted(text, from, isLast)
    if (found - from > MAX_LENGTH) return faultOf(text, from)
    if (lineEnd === -1 && !isLast) return 'more'
    const end = lineEnd !== -1 && lineEnd > from && text[lineEnd - 1] === '\r' ? lineEnd - 1 : found
    return { values: owned(text, from, end).split(delimiter), lines: 1, next: found + 1 }
  }

  function quoted(text: string, from: number, isLast: boolean): Scanned {
    const values: string[] = []
    for (let at = from; ; ) {
      const field = text[at] === '"' ? quotedField(text, from, at, isLast) : plainField(text, at, at, isLast)
      if (field === 'more') return text.length - from > MAX_LENGTH ? faultOf(text, from) : 'more'
      if ('fault' in field) return field
      const { value, end } = field
      if (end - from > MAX_LENGTH) return faultOf(text, from)
      values.push(value)
      if (text[end] === delimiter) at = end + 1
      else {
        const next = text[end] === '\r' ? end + 2 : end + 1
        return { values, lines: values.reduce((sum, value) => sum + breaksIn(value), 1), next }
      }
    }
  }

  /** @param record where its record begins */
  function quotedField(text: string, record: number, from: number, isLast: boolean): Field {
    for (let at = from + 1; ; at += 2) {
      at = text.indexOf('"', at)
      // The record would be too long with this quote, wherever it ends.
      if ((at === -1 ? text.length : at) - record >= MAX_LENGTH) return faultOf(text, record)
      if (at === -1) return isLast ? notClosed : 'more'
      const follows = text[at + 1]
      if (follows === '"') continue
      if (follows === undefined && !isLast) return 'more'
      if (follows === '\r' && text[at + 2] === undefined && !isLast) return 'more'
      const isClosed = follows === undefined || follows === delimiter || isLineEnd(text, at + 1)
      if (isClosed) return { value: owned(text, from + 1, at).replaceAll('""', '"'), end: at + 1 }
      return text.slice(from, at).includes('\n') ? notClosed : plainField(text, from, at, isLast)
    }
  }

  /** @param at position from which to search for the end of the field */
  function plainField(text: string, from: number, at: number, isLast: boolean): Field {
    for (let end = at; ; end++) {
      const here = text[end]
      if (here === undefined && !isLast) return 'more'
      if (here === '\r' && text[end + 1] === undefined && !isLast) return 'more'
      if (here === undefined || here === delimiter || isLineEnd(text, end)) return { value: owned(text, from, end), end }
    }
  }
}

const isLineEnd = (text: string, at: number): boolean => text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')

const breaksIn = (value: string): number => (value.includes('\n') ? value.split('\n').length - 1 : 0)

const faultOf = (text: string, from: number): { readonly fault: string } => ({
  fault: text.slice(from, from + MAX_LENGTH).includes('\n') ? `${tooLong}: a quote may not be closed` : tooLong,
})

/** Copies the part, because a substring keeps the whole text in memory while a cache contains it. */
const owned = (text: string, from: number, to: number): string => Buffer.from(text.slice(from, to)).toString()
