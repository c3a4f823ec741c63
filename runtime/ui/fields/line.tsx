/** A control for one value in its frame: a line, several lines, or a list to choose from. */
import type { Child } from 'hono/jsx'
import { Labelled, type LabelledProps } from './labelled.tsx'
import { type ChoiceOption, Select } from './select.tsx'

export interface LineProps extends Pick<LabelledProps, 'id' | 'label' | 'optional' | 'faults' | 'help'> {
  /** The name that it is sent under. */
  readonly name: string
  readonly value: string | undefined
  readonly required?: boolean | undefined
  /** A list to choose from instead of a line to type in. */
  readonly options?: readonly ChoiceOption[] | undefined
  /** Label of the choice of no option, if that is allowed; it may be empty. */
  readonly blank?: string | undefined
  /** Height of a control for several lines. */
  readonly rows?: number | undefined
  /** Further attributes of the control. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Shown between the control and its notes. */
  readonly after?: Child
}

export function Line({ id, name, value, required, options, blank, rows, attributes, after, ...frame }: LineProps) {
  return (
    <Labelled id={id} {...frame}>
      {tied => {
        const about = { id, name, required: required ? (true as const) : undefined, ...tied }
        return (
          <>
            {options ? (
              <Select about={about} value={value ?? ''} blank={blank} options={options} />
            ) : rows !== undefined ? (
              <textarea {...about} rows={rows} {...attributes}>
                {value}
              </textarea>
            ) : (
              <input {...about} {...attributes} value={value} />
            )}
            {after}
          </>
        )
      }}
    </Labelled>
  )
}
