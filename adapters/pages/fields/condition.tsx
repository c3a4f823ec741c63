import { say } from '../languages/index.ts'
import { type FormContext, idOf } from './field.tsx'

const conditionParts = ['dimension', 'operator', 'value'] as const

/** One condition; what has another form than three values is kept as it is. */
export function Condition({ pointer, index, value, form }: { pointer: string; index: number; value: unknown; form: FormContext }) {
  const faults = form.faults.filter(fault => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
  const isSimple = value === undefined || (Array.isArray(value) && value.length === 3)
  return (
    <div class="condition">
      {isSimple ? (
        conditionParts.map((part, i) => {
          const id = idOf(`${pointer}/${i}`)
          const text: unknown = Array.isArray(value) ? value[i] : ''
          return (
            <p class="field">
              <label for={id}>
                {say(form, part)} <span class="unseen">{say(form, 'of_condition', { number: index + 1 })}</span>
              </label>
              <input
                id={id}
                name={`${pointer}/${i}`}
                value={Array.isArray(text) ? text.map(String).join(', ') : String(text ?? '')}
                placeholder={i === 1 ? 'is' : undefined}
                autocomplete="off"
                aria-invalid={faults.length > 0 ? 'true' : undefined}
                aria-describedby={faults.length > 0 ? `${idOf(pointer)}-fault` : undefined}
              />
            </p>
          )
        })
      ) : (
        <>
          <input type="hidden" name={pointer} value={JSON.stringify(value)} />
          <code>{JSON.stringify(value)}</code>
        </>
      )}
      {faults.length > 0 && (
        <span class="fault" id={`${idOf(pointer)}-fault`}>
          {faults.map(({ message }) => message).join(' ')}
        </span>
      )}
    </div>
  )
}
