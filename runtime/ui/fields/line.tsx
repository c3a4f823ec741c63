/** A control for one value: a line, several lines, or a choice. */
import type { TSchema } from '@sinclair/typebox'
import { fromFile, ofFile } from '../../table/schema.ts'
import { timeZones } from '../time-zones.ts'
import { bare } from '../cell.tsx'
import { minorDigits, wallClock, weekday } from '../format.ts'
import { fieldWords, headingWords, valueWords } from '../words.ts'
import { calledIn, emptiedField, type FieldProps, type FormContext, helpOf, type Option } from './field.tsx'
import { FileChooser, FromFile } from './file-chooser.tsx'
import { type ChoiceOption, Select } from './select.tsx'
import { ui } from '../messages.ts'
import { say } from '../../texts/say.ts'

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
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : inMajorUnits(value, schema, form)
  const line = (
    <p class="field">
      <label for={id}>
        {label ?? labelIn(name, schema, form)}
        {required === false && !form.isChange && <span class="optional"> {say(form, ui.optional)}</span>}
      </label>
      {options ? (
        <Select about={about} value={text} blank={!required || text === '' ? '' : undefined} options={choicesOf(options)} />
      ) : schema.enum ? (
        <Select
          about={about}
          value={text}
          blank={clearable || !required || text === '' ? '' : undefined}
          options={(schema.enum as unknown[]).filter(each => each !== '').map(each => [String(each), valueWords(each, form)])}
        />
      ) : schema.type === 'boolean' ? (
        <Select about={about} value={text} blank="" options={[true, false].map(each => [String(each), say(form, each ? ui.yes : ui.no)])} />
      ) : schema.unit === 'weekday' ? (
        <Select about={about} value={text} blank={!required || text === '' ? '' : undefined} options={weekdays(form)} />
      ) : schema.format === 'timezone' ? (
        <Select about={about} value={text} blank={!required || text === '' ? '' : undefined} options={timeZones()} />
      ) : schema[fromFile] !== undefined || (Number(schema.maxLength ?? 0) >= longLine && /text|message|description/.test(name)) ? (
        <textarea {...about} rows={4} maxlength={schema.maxLength}>
          {text}
        </textarea>
      ) : (
        <input {...about} {...typeOf(schema, name, form)} value={form.secrets.includes(name) ? undefined : shownIn(schema, text, form)} />
      )}
      {form.isBlind && clearable && (
        <label class="check">
          <input type="checkbox" name={emptiedField(name)} value="true" /> {say(form, ui.empty_it)}
        </label>
      )}
      {help}
    </p>
  )
  if (schema[ofFile])
    return (
      <FileChooser id={id} form={form}>
        {line}
      </FileChooser>
    )
  return (
    <FromFile schema={schema} id={id} label={label ?? labelIn(name, schema, form)} form={form}>
      {line}
    </FromFile>
  )
}

const choicesOf = (options: readonly Option[]): ChoiceOption[] => options.map(({ id, name }) => [id, name])

/** An amount is typed as people write it, with its currency beside it. @param value a wrong one is shown as it was typed */
const inMajorUnits = (value: unknown, { unit }: TSchema, { currency }: FormContext): string =>
  unit === 'minor_units' && typeof value === 'number' ? String(value / 10 ** minorDigits(currency)) : String(value)

/** The unit of a number stands beside its name. */
function labelIn(name: string, { unit }: TSchema, form: FormContext): string {
  if (unit === 'minor_units') return `${headingWords(name, unit, form)} (${form.currency})`
  return fieldWords(name, form)
}

const weekdays = ({ locale }: FormContext): ChoiceOption[] => [1, 2, 3, 4, 5, 6, 7].map(day => [String(day), weekday(day, locale)])

const types: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'datetime-local', email: 'email', uri: 'url' }

function typeOf(schema: TSchema, name: string, { secrets }: FormContext) {
  if (secrets.includes(name)) return { type: 'password', autocomplete: 'new-password', maxlength: schema.maxLength }
  if (schema.unit === 'minor_units') return { type: 'number', inputmode: 'decimal' as const, min: 0, step: 'any' }
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
