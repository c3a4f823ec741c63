/** The input and the result of answering one part of a question. */
import type { Asking } from '../../answered.ts'
import { changeWords, type Shown } from '../../figures.ts'
import type { ChartRecord, GoalDraftRecord } from '../../records.ts'
import type { Ranged } from '../compared.ts'
import type { Names } from '../names.ts'
import type { Part } from '../part.ts'
import { fieldsOf, type Fields, type Reads } from '../reads.ts'
import { comparedWhen, filterInput, filterWords, periodWords } from '../wording.ts'
import type { Say } from '../../../../../runtime/texts/say.ts'

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
export const scopeWords = ({ part, ranged, asking: { say, site, now } }: Answering, data: unknown): string =>
  `${periodWords(say, { data, days: ranged.days, zone: site.timezone, now })}${filterWords(say, part.filters)}`

interface ComparedWords {
  readonly metric: Shown
  readonly now: number
  readonly before: unknown
  readonly meta: Fields
  readonly currency: string
}

/** `12.3% more than in 2–8 November 2026 (1,100)`; undefined without a comparison. */
export function comparedWords(say: Say, { metric, now, before, meta, currency }: ComparedWords): string | undefined {
  const when = comparedWhen(say, meta)
  return when === undefined || typeof before !== 'number' ? undefined : changeWords(say, { metric, now, before, when, currency })
}

export const comparedOf = (data: unknown): Fields => fieldsOf(fieldsOf(data).comparison)
