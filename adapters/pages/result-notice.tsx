/** The notice above a page that shows the result of the form that led to it. */
import type { NamedOperation } from '../../runtime/table/table.ts'
import { doneWords } from '../../runtime/ui/operation-labels.ts'
import { capital } from '../../runtime/texts/names.ts'
import { Message, type Sentence } from '../../runtime/texts/message.ts'
import { recordOf } from './page-tree.ts'
import { outcomeIn, type Result, undoPath } from './results.ts'
import { ButtonForm } from '../../runtime/ui/form.tsx'
import { valueWords } from '../../runtime/ui/words.ts'
import { m } from './messages.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'

const looks = { success: 'notice went-well', failure: 'notice went-wrong', neutral: 'notice' } as const

/**
 * @param url of the page, which offers to undo a deletion
 * @param isSeen whether the page itself shows the change
 */
export function ResultNotice({ result, reader, url, isSeen }: { result: Result; reader: Reader; url?: URL; isSeen?: boolean }) {
  const { operation, record } = result
  if (!record) return mayBeSecret(operation) ? <p class="notice">{say(reader, m.shown_no_more)}</p> : null
  const outcome = outcomeIn(result)
  if (!outcome) {
    if (isSeen && operation.effect !== 'delete') return null
    const undo = url && undoPath(result, url)
    if (undo !== undefined)
      return (
        <div class={`${looks.success} undoable`} role="status">
          <span>{doneWords(operation, recordOf(operation), reader)}</span>
          <ButtonForm action={undo} label={say(reader, m.undo)} />
        </div>
      )
    return (
      <p class={looks.success} role="status">
        {doneWords(operation, recordOf(operation), reader)}
      </p>
    )
  }
  const { is, says, why } = outcome
  return (
    <p class={looks[is]} role={is === 'failure' ? 'alert' : 'status'}>
      {say(reader, says)}
      {why !== undefined && why !== null && why !== '' && ` ${inWords(why, reader)}`}
    </p>
  )
}

const mayBeSecret = ({ secrets, output }: NamedOperation): boolean => secrets.some(name => Object.hasOwn(output.properties ?? {}, name))

/** Formats a stored sentence, or a code such as `connection_refused`. If the text has both, only the sentence is shown. */
function inWords(why: Sentence, reader: Reader): string {
  const text =
    why instanceof Message
      ? say(reader, why)
      : /^[a-z]+(_[a-z]+)*$/.test(why)
        ? valueWords(why, reader)
        : say(reader, why).replace(/^[a-z]+(_[a-z]+)* ?: /, '')
  return capital(text).replace(/(?<![.!?…])$/, '.')
}
