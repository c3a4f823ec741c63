/** A box to ask in, and questions to begin with. */
import { say } from '../../../runtime/ui/languages/index.ts'
import type { Viewer } from '../../../runtime/ui/format.ts'

/** The limit of the API: longer questions are refused. */
const longest = 2_000
/** The control of the input `question`, as forms name theirs. */
const control = '/question'

export function AskForm({ action, isNew, viewer }: { action: string; isNew: boolean; viewer: Viewer }) {
  return (
    <form class="card ask" method="post" action={action}>
      <label for="question">{say(viewer, isNew ? 'ask_about' : 'ask_on')}</label>
      <div class="asked">
        <textarea
          id="question"
          name={control}
          rows={2}
          maxlength={longest}
          required
          placeholder={say(viewer, isNew ? 'ask_example' : 'ask_example_on')}
        />
        <button type="submit">{say(viewer, 'ask')}</button>
      </div>
      {isNew && <p class="help">{say(viewer, 'ask_help')}</p>}
    </form>
  )
}

export function Suggestions({ action, questions, viewer }: { action: string; questions: readonly string[]; viewer: Viewer }) {
  if (questions.length === 0) return null
  return (
    <section class="suggestions" aria-labelledby="suggestions">
      <h2 id="suggestions">{say(viewer, 'ask_try')}</h2>
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
