/** The notice above a page: what came of the form that led to it. */
import type { NamedOperation } from '../../runtime/table.ts'
import { doneWords } from './doing.tsx'
import { type Reader, say, told } from './languages/index.ts'
import { recordOf } from './places.ts'
import type { Result } from './results.ts'
import { valueWords } from './words.ts'

const looks = { success: 'notice went-well', failure: 'notice went-wrong', neutral: 'notice' } as const

/** @param isSeen whether the page shows by itself what was done */
export function ResultNotice({ result: { operation, record }, reader, isSeen }: { result: Result; reader: Reader; isSeen?: boolean }) {
  if (!record) return mayBeSecret(operation) ? <p class="notice">{say(reader, 'shown_no_more')}</p> : null
  const outcome = operation.outcome?.(record as never) // it was checked against the schema that types it
  if (!outcome) {
    if (isSeen && operation.effect !== 'delete') return null
    return (
      <p class={looks.success} role="status">
        {doneWords(operation, recordOf(operation), reader)}
      </p>
    )
  }
  const { is, says, why } = outcome
  return (
    <p class={looks[is]} role={is === 'failure' ? 'alert' : 'status'}>
      {told(reader, says)}
      {typeof why === 'string' && why !== '' && ` ${inWords(why, reader)}`}
    </p>
  )
}

const mayBeSecret = ({ secrets, output }: NamedOperation): boolean => secrets.some(name => Object.hasOwn(output.properties ?? {}, name))

/** A sentence that is stored, or a code such as `connection_refused`. */
const inWords = (why: string, reader: Reader): string => (/^[a-z]+(_[a-z]+)*$/.test(why) ? `${valueWords(why, reader)}.` : told(reader, why))
