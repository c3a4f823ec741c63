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
  /** Null if no model answered. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

/** A message before this question. */
export interface Earlier {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** A question, and the means to answer it: reads of the table with the rights of the member who asks. */
export interface Asking {
  readonly question: string
  /** Messages of the conversation so far, oldest first. */
  readonly earlier: readonly Earlier[]
  readonly site: LiveSite
  /** Says messages and names in the language of the answer. */
  readonly say: Say
  /** Epoch ms. */
  readonly now: number
  read(reading: Reading): Promise<ReadAnswer>
  declarationOf(id: string): ReadDeclaration | undefined
}
