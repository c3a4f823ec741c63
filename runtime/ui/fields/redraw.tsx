/** Buttons that draw the form again with what is typed: with other fields, or with a list that has one item more or less. */
import type { Child } from 'hono/jsx'
import type { IconName } from '../../table/icons.ts'
import { say } from '../../texts/say.ts'
import { Icon } from '../icons/icon.tsx'
import { ui } from '../messages.ts'
import type { FormContext } from './control-props.ts'

/** The name of the buttons; their value is what to do: `add /steps`. */
export const draftField = '_draft'

/** Without scripts, a button shows the fields of another choice. With scripts the form follows by itself. */
export const Redraw = ({ form }: { form: FormContext }) =>
  form.isRedrawn ? (
    <noscript>
      <button type="submit" class="plain redraws" name={draftField} value="show" formnovalidate>
        {say(form, ui.show_its_fields)}
      </button>
    </noscript>
  ) : null

interface DraftButtonProps {
  readonly does: string
  /** For screen readers, if only the icon is shown. */
  readonly label: string
  readonly icon: IconName
  readonly isSmall?: boolean
  readonly isDisabled?: boolean
  readonly children?: Child
}

export const DraftButton = ({ does, label, icon, isSmall, isDisabled }: DraftButtonProps) => (
  <button
    type="submit"
    class={isSmall ? 'plain small' : 'plain'}
    name={draftField}
    value={does}
    formnovalidate
    disabled={isDisabled}
    title={isSmall ? label : undefined}
  >
    <Icon name={icon} />
    <span class={isSmall ? 'unseen' : undefined}>{label}</span>
  </button>
)
