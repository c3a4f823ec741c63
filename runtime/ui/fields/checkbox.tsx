import { fieldWords, statementOf } from '../words.ts'
import { calledIn, type ControlProps, notesOf } from './control-props.ts'
import { Labelled } from './labelled.tsx'

/** The hidden field says that it was shown, as browsers send nothing for a box that is not checked. */
export function Checkbox(props: ControlProps) {
  const { name, value, label = fieldWords(name, props.form) } = props
  const sentAs = calledIn(props.form, props.pointer)
  const { help, ...notes } = notesOf(props)
  return (
    <Labelled
      {...notes}
      help={help && statementOf(help)}
      label={label}
      before={<input type="hidden" name={sentAs} value="false" />}
      isCheck
    >
      {tied => <input type="checkbox" id={notes.id} name={sentAs} value="true" checked={value === true} {...tied} />}
    </Labelled>
  )
}
