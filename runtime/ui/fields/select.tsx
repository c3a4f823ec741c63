/** One of several values, as a list that opens. */
import { raw } from 'hono/html'

/** The value that is sent, and the label that is read. */
export type ChoiceOption = readonly [value: string, label: string]

/** All options of a list as one text, none of them chosen, and where each begins. */
interface Drawn {
  readonly html: string
  readonly begins: readonly number[]
}
const drawn = new WeakMap<readonly ChoiceOption[], Drawn>()

/**
 * Of 400 time zones all but one look the same on every page: a list that is kept is drawn once, and the chosen one put in
 * its place.
 * @param chosen a value that is not in the list is added before it
 */
export function Options({ of, chosen }: { of: readonly ChoiceOption[]; chosen: string }) {
  const { html, begins } = drawn.get(of) ?? drawnOf(of)
  const at = of.findIndex(([value]) => value === chosen)
  const [value, label] = of[at] ?? [chosen, chosen]
  const own = at >= 0 || chosen !== '' ? String(optionOf(value, label, true)) : ''
  return raw(at < 0 ? own + html : html.slice(0, begins[at]) + own + html.slice(begins[at + 1]))
}

function drawnOf(options: readonly ChoiceOption[]): Drawn {
  const begins = [0]
  let html = ''
  for (const [value, label] of options) begins.push((html += String(optionOf(value, label, false))).length)
  const made = { html, begins }
  drawn.set(options, made)
  return made
}

function optionOf(value: string, label: string, isChosen: boolean) {
  // Without a value, browsers send the text (HTML §4.10.10): half the bytes of a zone.
  const isSaid = value === label && /^\S+$/.test(value)
  return (
    <option value={isSaid ? undefined : value} selected={isChosen}>
      {label}
    </option>
  )
}

interface SelectProps {
  readonly about: Readonly<Record<string, string | number | boolean | undefined>>
  readonly value: string
  /** Label of the choice of none, if none may be chosen; it may be empty. */
  readonly blank: string | undefined
  readonly options: readonly ChoiceOption[]
}

export function Select({ about, value, blank, options }: SelectProps) {
  return (
    <select {...about}>
      {blank !== undefined && (
        <option value="" selected={blank !== '' && value === ''}>
          {blank}
        </option>
      )}
      <Options of={options} chosen={value} />
    </select>
  )
}
