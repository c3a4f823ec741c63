/** A line to type in with known values. Browsers offer them by themselves; `client/combobox.js` draws the list and looks up more. */
import type { Content } from '../../table/page.ts'
import type { Suggestions } from './suggestions.ts'

interface ComboboxProps {
  readonly about: Readonly<Record<string, string | number | boolean | undefined>> & { readonly id: string }
  readonly value: string
  readonly suggestions: Suggestions
  /** Name of the value (`Named`). */
  readonly named?: Content | null
}

export function Combobox({ about, value, suggestions: { values, hasMore }, named = null }: ComboboxProps) {
  const list = `${about.id}-known`
  return (
    <span class="combobox" data-more={hasMore ? '' : undefined}>
      <input {...about} value={value} autocomplete="off" list={list} />
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
