/** A list of items, each with buttons that move and remove it, and one that adds another. */
import type { Child } from 'hono/jsx'
import { say } from '../../texts/say.ts'
import { ui } from '../messages.ts'
import { fieldWords, itemWords } from '../words.ts'
import { type ControlProps, groupNotes } from './control-props.ts'
import { DraftButton } from './redraw.tsx'

interface ItemListProps extends ControlProps {
  readonly values: readonly unknown[]
  readonly min: number
  readonly max: number
  /** Least number of items that are shown, even if there are fewer values. */
  readonly minShown: number
  /** Whether the order of the items matters. */
  readonly isOrdered: boolean
  /** Label of the button that adds an item. */
  readonly add?: string | undefined
  readonly isCompact?: boolean
  draw(index: number, value: unknown): Child
}

export function ItemList({ values, min, max, minShown, isOrdered, add, isCompact = false, draw, ...props }: ItemListProps) {
  const { pointer, name, form, label = fieldWords(name, form) } = props
  const { id, notes, described } = groupNotes(props)
  const count = Math.min(max, Math.max(values.length, minShown))
  const item = itemWords(name, form)
  return (
    <fieldset class={isCompact ? 'items compact' : 'items'} id={id} aria-describedby={described}>
      <legend>{label}</legend>
      {/* Says that the list was shown, even if it has no item. */}
      <input type="hidden" name={`${pointer}/-`} value="" />
      {count > 0 && (
        <ol>
          {Array.from({ length: count }, (_, i) => {
            const itemName = say(form, ui.item_number, { item, number: i + 1 })
            return (
              <li>
                <div class="item">{draw(i, values[i])}</div>
                <div class="moves">
                  {isOrdered && count > 1 && (
                    <>
                      <DraftButton
                        does={`up ${pointer}/${i}`}
                        icon="move_up"
                        label={say(form, ui.move_up, { item: itemName })}
                        isSmall
                        isDisabled={i === 0}
                      />
                      <DraftButton
                        does={`down ${pointer}/${i}`}
                        icon="move_down"
                        label={say(form, ui.move_down, { item: itemName })}
                        isSmall
                        isDisabled={i === count - 1}
                      />
                    </>
                  )}
                  <DraftButton
                    does={`remove ${pointer}/${i}`}
                    icon="close"
                    label={say(form, ui.remove_item, { item: itemName })}
                    isSmall
                    isDisabled={count <= min}
                  />
                </div>
              </li>
            )
          })}
        </ol>
      )}
      {count < max && <DraftButton does={`add ${pointer}`} icon="add" label={add ?? say(form, ui.add_item, { item })} />}
      {notes}
    </fieldset>
  )
}
