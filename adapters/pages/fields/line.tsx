/** A control for one value: a line, several lines, or a choice. */
import type { TSchema } from '@sinclair/typebox'
import { bare } from '../cell.tsx'
import { wallClock } from '../format.ts'
import { say } from '../languages/index.ts'
import { fieldWords, valueWords } from '../words.ts'
import { calledIn, type FieldProps, type FormContext, helpOf, type Option } from './field.tsx'
import { zones } from './zones.ts'

/** Longer texts are typed in several lines. */
const longLine = 400

export function Line(props: FieldProps) {
  const { pointer, name, schema: given, value, required, form, label } = props
  const { schema, clearable } = bare(given)
  const { id, help, isWrong, described } = helpOf(props)
  const about = {
    id,
    name: calledIn(form, pointer),
    required: required || undefined,
    'aria-invalid': isWrong ? ('true' as const) : undefined,
    'aria-describedby': described,
  }
  const options = form.choices.get(name)
  const text = value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return (
    <p class="field">
      <label for={id}>
        {label ?? fieldWords(name, form)}
        {required === false && <span class="optional"> {say(form, 'optional')}</span>}
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
