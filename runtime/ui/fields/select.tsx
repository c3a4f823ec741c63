/** One of several values, as a list that opens. */
import { raw } from 'hono/html'

/** The value that is sent, and the label that is read. */
export type ChoiceOption = readonly [value: string, label: string]

/** HTML of a list of which no option is chosen. */
interface UnchosenOptions {
  readonly html: string
  /** Where each option begins in `html`, and where the last one ends. */
  readonly offsets: readonly number[]
}
const unchosen = new WeakMap<readonly ChoiceOption[], UnchosenOptions>()

/**
 * The options of a list. All but the chosen one of 400 time zones are the same on every page, so the options of a list are drawn
 * once, and the chosen one replaces its option in their HTML.
 * @param of options, kept by the caller: the HTML is cached by this array
 * @param chosen value; added before the list if it is not in it
 */
export function Options({ of, chosen }: { of: readonly ChoiceOption[]; chosen: string }) {
  const { html, offsets } = unchosen.get(of) ?? drawUnchosen(of)
  const at = of.findIndex(([value]) => value === chosen)
  if (at < 0) return raw(chosen === '' ? html : String(optionOf(chosen, chosen, true)) + html)
  const [value, label] = of[at] ?? [chosen, chosen]
  return raw(html.slice(0, offsets[at]) + String(optionOf(value, label, true)) + html.slice(offsets[at + 1]))
}

function drawUnchosen(options: readonly ChoiceOption[]): UnchosenOptions {
  const offsets = [0]
  let html = ''
  for (const [value, label] of options) {
    html += String(optionOf(value, label, false))
    offsets.push(html.length)
  }
  const drawn = { html, offsets }
  unchosen.set(options, drawn)
  return drawn
}

function optionOf(value: string, label: string, isChosen: boolean) {
  // Without the attribute `value`, browsers send the label (HTML §4.10.10). That saves half the bytes of a time zone.
  const isLabelSent = value === label && /^\S+$/.test(value)
  return (
    <option value={isLabelSent ? undefined : value} selected={isChosen}>
      {label}
    </option>
  )
}

interface SelectProps {
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  readonly value: string
  /** Label of the option to choose nothing; undefined if a value must be chosen. It may be empty. */
  readonly blank: string | undefined
  readonly options: readonly ChoiceOption[]
}

export function Select({ attributes, value, blank, options }: SelectProps) {
  return (
    <select {...attributes}>
      {blank !== undefined && (
        <option value="" selected={blank !== '' && value === ''}>
          {blank}
        </option>
      )}
      <Options of={options} chosen={value} />
    </select>
  )
}
