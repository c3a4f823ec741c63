/** The name of a code in a field, such as Germany for `DE`. With scripts it covers the code until someone edits the field. */
import { valueIn } from '../../texts/code-names.ts'
import type { Reader } from '../../texts/reader.ts'
import { Mark } from '../icons/icon.tsx'

interface NamedProps {
  readonly dimension: string
  /** One value, or several with commas between them. */
  readonly value: string
  readonly reader: Reader
}

export function Named({ dimension, value, reader }: NamedProps) {
  const values = value.split(', ')
  const name = values.map(each => valueIn(dimension, each, reader)).join(', ')
  if (name === value) return null
  return (
    <span class="code-name">
      <Mark dimension={dimension} value={values[0] ?? ''} label={name} />
      <span>{name}</span>
    </span>
  )
}
