/** The faults and the help below a control, and the attributes that tie the control to them. */

import type { Sentence } from '../../texts/message.ts'

/** Draws the notes of a control. @param id id of the control @param help undefined or empty for none */
export function fieldNotes(id: string, faults: readonly Sentence[], help?: string) {
  const isWrong = faults.length > 0
  const described = [isWrong && `${id}-fault`, help && `${id}-help`].filter(Boolean).join(' ') || undefined
  const notes = (
    <>
      {faults.map((message, i) => (
        <span class="fault" id={i === 0 ? `${id}-fault` : undefined}>
          {message}
        </span>
      ))}
      {help && (
        <span class="help" id={`${id}-help`}>
          {help}
        </span>
      )}
    </>
  )
  return { notes, attributes: { 'aria-invalid': isWrong ? ('true' as const) : undefined, 'aria-describedby': described } }
}
