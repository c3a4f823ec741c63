/** A choice of a kind as cards, each with an icon. The other fields of the form depend on it. */
import { say } from '../../texts/say.ts'
import type { KindCard } from '../form-layout.ts'
import { Icon, Mark } from '../icons/icon.tsx'
import { ui } from '../messages.ts'
import { fieldWords } from '../words.ts'
import { type ControlProps, groupNotes } from './control-props.ts'
import { Redraw } from './redraw.tsx'

interface KindsProps extends ControlProps {
  readonly cards: readonly KindCard[]
  /** No other field depends on it. */
  readonly isFinal?: true | undefined
}

export function Kinds({ cards, isFinal, ...props }: KindsProps) {
  const { pointer, name, value, form, label = fieldWords(name, form) } = props
  const { id, notes, described } = groupNotes({ ...props, schema: { ...props.schema, description: undefined } })
  return (
    <fieldset class="kinds" id={id} aria-describedby={described}>
      <input type="hidden" name={`_was${pointer}`} value={typeof value === 'string' ? value : ''} />
      <legend class="unseen">{label}</legend>
      <div class="cards">
        {cards.map((card, i) => (
          <label class="kind">
            <input
              type="radio"
              id={`${id}-${i}`}
              name={pointer}
              value={card.value}
              checked={value === card.value}
              data-redraws={isFinal ? undefined : ''}
            />
            {card.icon !== undefined && <Icon name={card.icon} />}
            {card.mark !== undefined && <Mark dimension="source" value={card.value} label={card.mark} />}
            <span class="name">{card.label}</span>
            {card.help !== undefined && <span class="says">{card.help}</span>}
          </label>
        ))}
      </div>
      {cards.some(card => card.value === value) ? null : <p class="help">{say(form, ui.choose_one)}</p>}
      {!isFinal && <Redraw form={form} />}
      {notes}
    </fieldset>
  )
}
