/** A text input that suggests known values. Browsers list them without scripts; `client/combobox.js` draws the list and looks up more. */
import type { Content } from '../../table/page.ts'
import type { Suggestions } from './suggestions.ts'

interface ComboboxProps {
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>> & { readonly id: string }
  readonly value: string
  readonly suggestions: Suggestions
  /** The name of the value, if it is an identifier: `<Named>`. */
  readonly named?: Content | null
}

export function Combobox({ attributes, value, suggestions: { values, hasMore }, named = null }: ComboboxProps) {
  const list = `${attributes.id}-known`
  return (
    <span class="combobox" data-more={hasMore ? '' : undefined}>
      <input {...attributes} value={value} autocomplete="off" list={list} />
      {named}
      <datalist id={list}>
        {values.map(each => (
          <option value={each.value} data-note={each.note} data-flag={each.flag}>
            {each.label ?? each.note}
          </option>
        ))}
      </datalist>
    </span>
  )
}
