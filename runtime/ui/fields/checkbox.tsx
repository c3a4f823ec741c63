import { fieldWords } from '../words.ts'
import { calledIn, type FieldProps, helpOf } from './field.tsx'

/** The hidden field says that it was shown, as browsers send nothing for a box that is not checked. */
export function Checkbox(props: FieldProps) {
  const { name, value, label } = props
  const pointer = calledIn(props.form, props.pointer)
  const { id, help, isWrong, described } = helpOf(props)
  return (
    <p class="field check">
      <input type="hidden" name={pointer} value="false" />
      <label for={id}>
        <input
          type="checkbox"
          id={id}
          name={pointer}
          value="true"
          checked={value === true}
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={described}
        />
        {label ?? fieldWords(name, props.form)}
      </label>
      {help}
    </p>
  )
}
