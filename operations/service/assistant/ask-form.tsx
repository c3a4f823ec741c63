/** A box to ask in, and questions to begin with. */
import type { Viewer } from '../../../runtime/ui/format.ts'
import { OperationForm } from '../../../runtime/ui/form.tsx'
import { assistant_ask } from './operations.ts'
import { maxQuestionLength } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface AskFormProps {
  readonly action: string
  /** Whether the question begins a conversation. */
  readonly isNew: boolean
  readonly viewer: Viewer
}

export function AskForm({ action, isNew, viewer }: AskFormProps) {
  return (
    <OperationForm of={assistant_ask} class="card ask" action={action} refused={undefined}>
      {({ nameOf }) => (
        <>
          <label for="question">{say(viewer, isNew ? m.ask_about : m.ask_on)}</label>
          <div class="asked">
            <textarea
              id="question"
              name={nameOf('question')}
              rows={2}
              maxlength={maxQuestionLength}
              required
              placeholder={say(viewer, isNew ? m.ask_example : m.ask_example_on)}
            />
            <button type="submit">{say(viewer, m.ask)}</button>
          </div>
          {isNew && <p class="help">{say(viewer, m.ask_help)}</p>}
        </>
      )}
    </OperationForm>
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
            <OperationForm of={assistant_ask} action={action} refused={undefined}>
              {({ nameOf }) => (
                <button class="plain" type="submit" name={nameOf('question')} value={question}>
                  {question}
                </button>
              )}
            </OperationForm>
          </li>
        ))}
      </ul>
    </section>
  )
}
