/** A control for any input, by its schema. Its name is the JSON pointer of what it fills. */
import type { TSchema } from '@sinclair/typebox'
import type { Detail } from '../../runtime/errors.ts'
import { isObject } from '../../runtime/json.ts'
import { escaped } from '../../runtime/pointer.ts'
import { bare } from './cell.tsx'
import { isCondition } from './form-values.ts'
import { wallClock } from './format.ts'
import { fieldWords, valueWords } from './words.ts'

export interface Option {
  readonly id: string
  readonly name: string
}
export interface FormContext {
  readonly faults: readonly Detail[]
  /** Records to choose from, by the field that takes their id. */
  readonly choices: ReadonlyMap<string, readonly Option[]>
  readonly secrets: readonly string[]
  readonly timezone: string
  /** It narrows what a page shows: its controls are called as parameters of the address are. */
  readonly isQuery?: true
}
const called = (pointer: string, { isQuery }: FormContext): string => (isQuery ? pointer.slice(1) : pointer)

interface ControlProps {
  /** JSON pointer. */
  readonly pointer: string
  readonly name: string
  readonly schema: TSchema
  readonly value: unknown
  readonly required?: boolean
  readonly form: FormContext
  /** Said instead of the field's name. */
  readonly label?: string
}

export const idOf = (pointer: string): string => `f${pointer.replaceAll(/[^\w]/g, '-')}`

/** Longer texts are typed in several lines. */
const longLine = 400
const blankItems = 2

export function Control(props: ControlProps) {
  const { schema } = bare(props.schema)
  if (schema.type === 'array') return <ListControl {...props} />
  if (schema.type === 'object' && schema.properties) return <ObjectControl {...props} />
  if (schema.type === 'boolean') return <Checkbox {...props} />
  return <Line {...props} />
}

function helpOf({ schema, pointer, form }: ControlProps, isGroup = false) {
  const faults = form.faults.filter(fault => fault.pointer === pointer || (!isGroup && fault.pointer.startsWith(`${pointer}/`)))
  const id = idOf(pointer)
  const help = (
    <>
      {faults.map(({ message }, i) => (
        <span class="fault" id={i === 0 ? `${id}-fault` : undefined}>
          {message}
        </span>
      ))}
      {schema.description && (
        <span class="help" id={`${id}-help`}>
          {plainText(schema.description)}
        </span>
      )}
    </>
  )
  const described = [faults.length > 0 && `${id}-fault`, schema.description && `${id}-help`].filter(Boolean).join(' ')
  return { id, help, isWrong: faults.length > 0, described: described || undefined }
}

/** Descriptions mark names as Markdown does. */
export const plainText = (description: string): string => description.replaceAll('`', '')

function Line(props: ControlProps) {
  const { pointer, name, schema: given, value, required, form, label } = props
  const { schema, clearable } = bare(given)
  const { id, help, isWrong, described } = helpOf(props)
  const about = {
    id,
    name: called(pointer, form),
    required: required || undefined,
    'aria-invalid': isWrong ? ('true' as const) : undefined,
    'aria-describedby': described,
  }
  const options = form.choices.get(name)
  const text = value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return (
    <p class="field">
      <label for={id}>
        {label ?? fieldWords(name)}
        {required === false && <span class="optional"> (optional)</span>}
      </label>
      {options ? (
        <Select about={about} value={text} blank={!required || text === ''} options={options} />
      ) : schema.enum ? (
        <Select
          about={about}
          value={text}
          blank={clearable || !required || text === ''}
          options={(schema.enum as unknown[]).filter(each => each !== '').map(each => ({ id: String(each), name: valueWords(each) }))}
        />
      ) : schema.format === 'timezone' ? (
        <Select about={about} value={text} blank={!required || text === ''} options={zones(text)} />
      ) : Number(schema.maxLength ?? 0) >= longLine && /text|cert|message|description/.test(name) ? (
        <textarea {...about} rows={4} maxlength={schema.maxLength}>
          {text}
        </textarea>
      ) : (
        <input {...about} {...typeOf(schema, name, form)} value={form.secrets.includes(name) ? undefined : shownIn(schema, text, form)} />
      )}
      {help}
    </p>
  )
}

let zoneNames: readonly Option[] | undefined
function zones(current: string): readonly Option[] {
  zoneNames ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')].map(id => ({
    id,
    name: id.replaceAll('_', ' '),
  }))
  return current === '' || zoneNames.some(({ id }) => id === current) ? zoneNames : [{ id: current, name: current }, ...zoneNames]
}

function Select({
  about,
  value,
  blank,
  options,
}: {
  about: Readonly<Record<string, string | true | undefined>>
  value: string
  blank: boolean
  options: readonly Option[]
}) {
  const isKnown = value === '' || options.some(({ id }) => id === value)
  return (
    <select {...about}>
      {blank && <option value="" />}
      {!isKnown && (
        <option value={value} selected>
          {value}
        </option>
      )}
      {options.map(option => (
        <option value={option.id} selected={option.id === value}>
          {option.name}
        </option>
      ))}
    </select>
  )
}

const types: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'datetime-local', email: 'email', uri: 'url' }

function typeOf(schema: TSchema, name: string, { secrets }: FormContext) {
  if (secrets.includes(name)) return { type: 'password', autocomplete: 'new-password', maxlength: schema.maxLength }
  if (schema.type === 'integer' || schema.type === 'number') {
    return {
      type: 'number',
      inputmode: 'decimal' as const,
      min: schema.minimum,
      max: schema.maximum,
      step: schema.type === 'integer' ? 1 : 'any',
    }
  }
  return {
    type: types[schema.format ?? ''] ?? 'text',
    autocomplete: 'off',
    minlength: schema.minLength || undefined,
    maxlength: schema.maxLength,
  }
}

const shownIn = (schema: TSchema, text: string, { timezone }: FormContext): string =>
  schema.format === 'date-time' && text !== '' && !Number.isNaN(Date.parse(text)) && /[Zz]|[+-]\d\d:?\d\d$/.test(text)
    ? wallClock(Date.parse(text), timezone)
    : text

function Checkbox(props: ControlProps) {
  const { name, value, label } = props
  const pointer = called(props.pointer, props.form)
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
        {label ?? fieldWords(name)}
      </label>
      {help}
    </p>
  )
}

function ObjectControl(props: ControlProps) {
  const { pointer, name, schema: given, value, form, label } = props
  const { schema } = bare(given)
  const { help } = helpOf(props, true)
  const record = isObject(value) ? value : {}
  return (
    <fieldset class="group">
      <legend>{label ?? fieldWords(name)}</legend>
      {Object.entries<TSchema>(schema.properties).map(([field, property]) => (
        <Control pointer={`${pointer}/${escaped(field)}`} name={field} schema={property} value={record[field]} form={form} />
      ))}
      {help}
    </fieldset>
  )
}

function ListControl(props: ControlProps) {
  const { pointer, name, schema: given, value, form, label } = props
  const { schema } = bare(given)
  const items: TSchema = schema.items ?? {}
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  const options: readonly Option[] | undefined =
    form.choices.get(name) ?? (items.enum as unknown[] | undefined)?.map(each => ({ id: String(each), name: valueWords(each) }))
  const { id, help, isWrong, described } = helpOf(props, Boolean(options) || items.type === 'object' || isCondition(items))
  if (options) {
    return (
      <fieldset class="group" id={id} aria-describedby={described}>
        <legend>{label ?? fieldWords(name)}</legend>
        <input type="hidden" name={called(pointer, form)} value="" />
        <div class="choices">
          {options.map(option => (
            <label>
              <input type="checkbox" name={called(pointer, form)} value={option.id} checked={values.includes(option.id)} /> {option.name}
            </label>
          ))}
          {options.length === 0 && <span class="help">There is none yet.</span>}
        </div>
        {help}
      </fieldset>
    )
  }
  if (items.type === 'object' || isCondition(items)) {
    const shown = Math.min(Number(schema.maxItems ?? 50), Math.max(values.length + blankItems, Number(schema.minItems ?? 0)))
    return (
      <fieldset class="group" id={id} aria-describedby={described}>
        <legend>{label ?? fieldWords(name)}</legend>
        {help}
        {Array.from({ length: shown }, (_, i) =>
          isCondition(items) ? (
            <Condition pointer={`${pointer}/${i}`} index={i} value={values[i]} form={form} />
          ) : (
            <ObjectControl
              pointer={`${pointer}/${i}`}
              name={name}
              label={`${fieldWords(name)} ${i + 1}`}
              schema={items}
              value={values[i]}
              form={form}
            />
          ),
        )}
      </fieldset>
    )
  }
  return (
    <p class="field">
      <label for={id}>{label ?? fieldWords(name)}, one a line</label>
      <textarea id={id} name={called(pointer, form)} rows={3} aria-invalid={isWrong ? 'true' : undefined} aria-describedby={described}>
        {values.map(String).join('\n')}
      </textarea>
      {help}
    </p>
  )
}

const conditionParts = ['Dimension', 'Operator', 'Value'] as const

/** One condition; what has another form than three values is kept as it is. */
function Condition({ pointer, index, value, form }: { pointer: string; index: number; value: unknown; form: FormContext }) {
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
                {part} <span class="unseen">of condition {index + 1}</span>
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
