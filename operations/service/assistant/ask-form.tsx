/** A box to ask in, and questions to begin with. */
import type { Viewer } from '../../../runtime/ui/format.ts'
import { longestQuestion } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** The control of the input `question`, as forms name theirs. */
const control = '/question'

interface AskFormProps {
  readonly action: string
  /** Whether the question begins a conversation. */
  readonly isNew: boolean
  readonly viewer: Viewer
}

export function AskForm({ action, isNew, viewer }: AskFormProps) {
  return (
    <form class="card ask" method="post" action={action}>
      <label for="question">{say(viewer, isNew ? m.ask_about : m.ask_on)}</label>
      <div class="asked">
        <textarea
          id="question"
          name={control}
          rows={2}
          maxlength={longestQuestion}
          required
          placeholder={say(viewer, isNew ? m.ask_example : m.ask_example_on)}
        />
        <button type="submit">{say(viewer, m.ask)}</button>
      </div>
      {isNew && <p class="help">{say(viewer, m.ask_help)}</p>}
    </form>
  )
}

interface SuggestionsProps {
  readonly action: string
  readonly questions: readonly string[]
  readonly viewer: Viewer
}

export function Suggestions({ action, questions, viewer }: SuggestionsProps) {
  if (questions.length === 0) return null
  return (
    <section class="suggestions" aria-labelledby="suggestions">
      <h2 id="suggestions">{say(viewer, m.ask_try)}</h2>
      <ul>
        {questions.map(question => (
          <li>
            <form method="post" action={action}>
              <button class="plain" type="submit" name={control} value={question}>
                {question}
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
