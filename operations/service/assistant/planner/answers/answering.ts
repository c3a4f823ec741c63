/** The input and the result of answering one part of a question. */
import type { Asking } from '../../answered.ts'
import { changeWords, figure, type Shown, shownAs } from '../../figures.ts'
import type { ChartRecord, GoalDraftRecord } from '../../records.ts'
import type { Ranged } from '../compared.ts'
import type { Names } from '../names.ts'
import type { Part } from '../part.ts'
import { fieldsOf, type Fields, type Reads } from '../reads.ts'
import { comparisonWords, filterInput, filterWords, periodWords } from '../wording.ts'

export interface Answering {
  readonly part: Part
  readonly ranged: Ranged
  readonly names: Names
  readonly reads: Reads
  readonly asking: Asking
  /** Whether nothing else is asked for, so that there is room for a chart. */
  readonly isAlone: boolean
}

export interface PartAnswer {
  /** Markdown. */
  readonly text: string
  readonly chart?: ChartRecord | null
  readonly draft?: GoalDraftRecord
}

/** Inputs that reports share. @param isCompared default: as asked */
export function rangeInput({ part, ranged }: Answering, { isCompared = true } = {}): Record<string, unknown> {
  const input = Object.fromEntries(Object.entries(ranged.input).filter(([name]) => isCompared || !name.startsWith('compare')))
  const filters = filterInput(part.filters)
  return { ...input, ...(filters.length > 0 && { filters }) }
}

/** `last week (…), country Germany`, of what was counted. */
export const scopeWords = ({ part, ranged, asking: { site, now } }: Answering, data: unknown): string =>
  `${periodWords(data, ranged.days, site.timezone, now)}${filterWords(part.filters)}`

/** `12.3% more than 2–8 November 2026 (1,100)`; undefined without a comparison. */
export function comparedWords(metric: Shown, now: number, before: unknown, meta: Fields, currency: string): string | undefined {
  const words = comparisonWords(meta)
  if (words === undefined || typeof before !== 'number') return undefined
  const change = changeWords(metric, now, before)
  return change === undefined
    ? `${figure(metric, 0, currency)} in ${words}`
    : `${change} in ${words} (${shownAs(metric, before, currency)})`
}

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

export const comparedOf = (data: unknown): Fields => fieldsOf(fieldsOf(data).comparison)
