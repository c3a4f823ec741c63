import { allOperators, commonDimensions, conditionWords } from '../conditions.ts'
import { fieldWords, valueWords } from '../words.ts'
import { type FormContext, idOf } from './control-props.ts'
import { Combobox } from './combobox-input.tsx'
import { Labelled } from './labelled.tsx'
import { Named } from './named.tsx'
import { Select } from './select.tsx'
import type { Content } from '../../table/page.ts'
import type { Suggestions } from './suggestions.ts'
import { ui } from '../messages.ts'
import { say } from '../../texts/say.ts'

const conditionParts = ['dimension', 'operator', 'value'] as const

interface PartProps {
  readonly attributes: Readonly<Record<'id' | 'name', string>> & Readonly<Record<string, string | undefined>>
  readonly part: (typeof conditionParts)[number]
  readonly text: string
  /** Dimension of the condition. */
  readonly dimension: string
  readonly form: FormContext
  /** Known values of the dimension. */
  readonly known: Suggestions | undefined
  /** Known values of every dimension, if the form has looked them up; of `property`, the keys. */
  readonly all: ReadonlyMap<string, Suggestions> | undefined
}

/** A dimension may be one that few ask for (`property:plan`), so it is typed, and those that most ask for are suggested. */
function Part({ attributes, part, text, dimension, form, known, all }: PartProps) {
  if (part === 'value') {
    const named = (<Named dimension={dimension} value={text} reader={form} />) as Content
    return <Combobox attributes={attributes} value={text} suggestions={known ?? { values: [] }} named={named} />
  }
  if (part === 'dimension') {
    const properties = (all?.get('property')?.values ?? []).map(
      ({ value }) => [`property:${value}`, `${fieldWords('property', form)}: ${value}`] as const,
    )
    const redraws = form.isRedrawn ? '' : undefined
    if (all) {
      const options = [...commonDimensions.map(name => [name, fieldWords(name, form)] as const), ...properties]
      return (
        <Select
          attributes={{ ...attributes, 'data-redraws': redraws }}
          value={text}
          blank={text === '' ? '' : undefined}
          options={options}
        />
      )
    }
    const values = commonDimensions.map(name => ({ value: name, label: fieldWords(name, form) }))
    return <Combobox attributes={{ ...attributes, 'data-redraws': redraws }} value={text} suggestions={{ values }} />
  }
  const operators = text === '' || allOperators.includes(text) ? allOperators : [text, ...allOperators]
  return (
    <select {...attributes}>
      {operators.map(name => (
        <option value={name} selected={name === text}>
          {valueWords(name, form)}
        </option>
      ))}
    </select>
  )
}

interface ConditionProps {
  readonly pointer: string
  readonly index: number
  readonly value: unknown
  readonly form: FormContext
  /** Known values by dimension. */
  readonly known?: ReadonlyMap<string, Suggestions> | undefined
}

/** Controls for one condition. A condition that is not three values is kept unchanged. */
export function Condition({ pointer, index, value, form, known }: ConditionProps) {
  const faults = form.faults.filter(fault => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
  const isSimple = value === undefined || (Array.isArray(value) && value.length === 3)
  return (
    <div class="condition">
      {isSimple ? (
        conditionParts.map((part, i) => {
          const id = idOf(`${pointer}/${i}`, form)
          const text: unknown = Array.isArray(value) ? value[i] : ''
          return (
            <Labelled
              id={id}
              label={
                <>
                  {say(form, ui[part])} <span class="unseen">{say(form, ui.of_condition, { number: index + 1 })}</span>
                </>
              }
            >
              {() => (
                <Part
                  attributes={{
                    id,
                    name: `${pointer}/${i}`,
                    'aria-invalid': faults.length > 0 ? 'true' : undefined,
                    'aria-describedby': faults.length > 0 ? `${idOf(pointer, form)}-fault` : undefined,
                  }}
                  part={part}
                  text={Array.isArray(text) ? text.map(String).join(', ') : String(text ?? '')}
                  dimension={Array.isArray(value) ? String(value[0]) : ''}
                  form={form}
                  all={known}
                  known={Array.isArray(value) ? known?.get(String(value[0])) : undefined}
                />
              )}
            </Labelled>
          )
        })
      ) : (
        <>
          <input type="hidden" name={pointer} value={JSON.stringify(value)} />
          <p>{conditionWords(value, form)}</p>
        </>
      )}
      {faults.length > 0 && (
        <span class="fault" id={`${idOf(pointer, form)}-fault`}>
          {faults.map(({ message }) => message).join(' ')}
        </span>
      )}
    </div>
  )
}
