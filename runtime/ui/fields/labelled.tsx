/** A control with its label before it, and its faults and help below it. */
import type { Child } from 'hono/jsx'
import type { Sentence } from '../../texts/message.ts'
import { fieldNotes } from './field-notes.tsx'

export interface LabelledProps {
  /** Id of the control; its notes have ids that begin with it. */
  readonly id: string
  readonly label: Child
  /** The word for “optional”, if the label ends with it. */
  readonly optional?: string | undefined
  readonly faults?: readonly Sentence[] | undefined
  readonly help?: string | undefined
  /** Hidden inputs before the label. */
  readonly before?: Child
  /** The label encloses the control, as for a checkbox. */
  readonly isCheck?: true
  /** The control is in a sentence, which shows its faults. Screen readers have its label. */
  readonly isSlot?: boolean | undefined
  /** Further attributes of the frame, such as `hidden` until scripts show it. */
  readonly attributes?: Readonly<Record<string, string | true>>
  /** Draws the control. @param tied the attributes that tie it to its faults and its help */
  children(tied: ReturnType<typeof fieldNotes>['attributes']): Child
}

export function Labelled({ id, label, optional, faults = [], help, before, isCheck, isSlot, attributes, children }: LabelledProps) {
  const { notes, attributes: tied } = fieldNotes(id, faults, isSlot ? undefined : help)
  const control = children(tied)
  if (isSlot)
    return (
      <span class="slot">
        <label class="unseen" for={id}>
          {label}
        </label>
        {control}
      </span>
    )
  return (
    <p class={isCheck ? 'field check' : 'field'} {...attributes}>
      {before}
      <label for={id}>
        {isCheck && control}
        {label}
        {optional !== undefined && <span class="optional"> {optional}</span>}
      </label>
      {!isCheck && control}
      {notes}
    </p>
  )
}
