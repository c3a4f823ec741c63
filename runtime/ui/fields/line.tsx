/** A control for one value in its frame: a line, several lines, or a list to choose from. */
import type { Child } from 'hono/jsx'
import { Combobox } from './combobox-input.tsx'
import { Labelled, type LabelledProps } from './labelled.tsx'
import { type ChoiceOption, Select } from './select.tsx'
import type { Suggestions } from './suggestions.ts'

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface LineProps extends Pick<LabelledProps, 'id' | 'label' | 'optional' | 'faults' | 'help' | 'isSlot'> {
  /** The name that it is sent under. */
  readonly name: string
  readonly value: string | undefined
  readonly required?: boolean | undefined
  /** A list to choose from instead of a line to type in. */
  readonly options?: readonly ChoiceOption[] | undefined
  /** Label of the option to choose nothing; undefined if a value must be chosen. It may be empty. */
  readonly blank?: string | undefined
  /** Known values of a line. */
  readonly suggestions?: Suggestions | undefined
  /** Height of a control for several lines. */
  readonly rows?: number | undefined
  /** The unit of a number, which follows it. */
  readonly unit?: string | undefined
  /** Further attributes of a line or of several lines. */
  readonly attributes?: Attributes | undefined
  /** Further attributes of any control. */
  readonly marks?: Attributes | undefined
  /** Shown between the control and its notes. */
  readonly after?: Child
}

export function Line({
  id,
  name,
  value,
  required,
  options,
  blank,
  suggestions,
  rows,
  unit,
  attributes,
  marks,
  after,
  ...frame
}: LineProps) {
  return (
    <Labelled id={id} {...frame}>
      {tied => {
        const described = [tied['aria-describedby'], unit !== undefined && `${id}-unit`].filter(Boolean).join(' ') || undefined
        const shared = { id, name, required: required ? (true as const) : undefined, ...tied, 'aria-describedby': described, ...marks }
        return (
          <>
            {options ? (
              <Select attributes={shared} value={value ?? ''} blank={blank} options={options} />
            ) : rows !== undefined ? (
              <textarea {...shared} rows={rows} {...attributes}>
                {value}
              </textarea>
            ) : suggestions ? (
              <Combobox attributes={{ ...shared, ...attributes }} value={value ?? ''} suggestions={suggestions} />
            ) : (
              <WithUnit id={id} unit={unit}>
                <input {...shared} {...attributes} value={value} />
              </WithUnit>
            )}
            {after}
          </>
        )
      }}
    </Labelled>
  )
}

function WithUnit({ id, unit, children }: { id: string; unit: string | undefined; children?: Child }) {
  if (unit === undefined) return <>{children}</>
  return (
    <span class="with-unit">
      {children}
      <span class="unit" id={`${id}-unit`}>
        {unit}
      </span>
    </span>
  )
}
