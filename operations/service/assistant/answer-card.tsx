/** An answer of the assistant: its text, its chart, a suggested goal, and the reports that the figures are from. */
import type { RenderMarkdown } from '../../../runtime/ui/markdown.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { Goal } from '../../sites/goals/records.ts'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerSources } from './answer-sources.tsx'
import type { GoalDraftRecord, MessageRecord } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export interface AnswerCardProps {
  readonly answer: MessageRecord
  readonly page: ViewedPage
  readonly markdown: RenderMarkdown
  /** Leaves numbered lists out of the text. */
  readonly withoutList: RenderMarkdown
}

export function AnswerCard({ answer, page, markdown, withoutList }: AnswerCardProps) {
  const { viewer } = page
  const { content, chart, goal_draft, queries } = answer
  const makeGoal = goal_draft ? page.formFor(Goal, filledIn(goal_draft)) : undefined
  return (
    <div class="card">
      {(isListInTable(answer) ? withoutList : markdown)(content)}
      {chart && <AnswerChart chart={chart} viewer={viewer} />}
      {makeGoal !== undefined && (
        <p>
          <a class="button" href={makeGoal}>
            {say(viewer, m.ask_make_goal)}
          </a>
        </p>
      )}
      <AnswerSources queries={queries} page={page} />
    </div>
  )
}

/** Rules without a model write a list of what the table shows. */
const isListInTable = ({ chart, input_tokens }: MessageRecord): boolean => chart?.type === 'table' && input_tokens === null

const filledIn = (draft: GoalDraftRecord): Record<string, string> =>
  Object.fromEntries(Object.entries(draft).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
