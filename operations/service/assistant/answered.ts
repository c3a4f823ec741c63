/** The parts of an answer, whether the planner or a model wrote it. */
import type { ReadAnswer, ReadDeclaration, Reading } from '../../../runtime/table/call-services.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { ChartRecord, GoalDraftRecord, QueryRecord } from './records.ts'
import type { Say } from '../../../runtime/texts/say.ts'

export interface Answered {
  /** Markdown. */
  readonly content: string
  readonly queries: readonly QueryRecord[]
  readonly chart: ChartRecord | null
  readonly goal_draft: GoalDraftRecord | null
  /** Null where no model answered. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

/** A message before this question. */
export interface Earlier {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** A question, and what it may be answered from: reads of the table as the one who asks. */
export interface Asking {
  readonly question: string
  /** Messages of the conversation so far, oldest first. */
  readonly earlier: readonly Earlier[]
  readonly site: LiveSite
  /** The language that rules answer in, and names are told in. */
  readonly say: Say
  /** Epoch ms. */
  readonly now: number
  read(reading: Reading): Promise<ReadAnswer>
  declarationOf(id: string): ReadDeclaration | undefined
}
