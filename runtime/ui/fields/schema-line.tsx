/** The line of an input, by its schema. */
import type { TSchema } from '@sinclair/typebox'
import { fromFile, ofFile } from '../../table/schema.ts'
import { currencies, isCurrency } from '../currencies.ts'
import { timeZones } from '../time-zones.ts'
import { bare } from '../cell.tsx'
import { minorDigits, wallClock, weekday } from '../format.ts'
import { fieldWords, headingWords, valueWords } from '../words.ts'
import { calledIn, emptiedField, type ControlProps, type DrawnAs, type FormContext, notesOf, proposedField } from './control-props.ts'
import { Redraw } from './redraw.tsx'
import { FileChooser, FromFile } from './file-chooser.tsx'
import { Line, type LineProps } from './line.tsx'
import type { ChoiceOption } from './select.tsx'
import { ui } from '../messages.ts'
import type { PlainMessage } from '../../texts/message.ts'
import { capital } from '../../texts/names.ts'
import { say } from '../../texts/say.ts'

/** Texts that may have at least this number of characters are typed in several lines. */
const severalLinesLength = 400

export function SchemaLine(props: ControlProps) {
  const { pointer, name, schema: given, value, required, form, drawn = {}, label = labelIn(name, bare(given).schema, form) } = props
  const { schema, clearable } = bare(given)
  const notes = notesOf(props)
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : inMajorUnits(value, schema, form)
  const line = (
    <Line
      {...notes}
      name={calledIn(form, pointer)}
      label={label}
      optional={required === false && !form.isChange ? say(form, ui.optional) : undefined}
      required={required}
      isSlot={drawn.isSlot}
      unit={unitIn(drawn.unit === undefined ? schema : { ...schema, unit: drawn.unit }, form)}
      {...controlFor(schema, {
        name,
        text: text === '' ? (drawn.proposed ?? '') : text,
        isOptional: !required || text === '',
        clearable,
        form,
        drawn,
      })}
      marks={{
        'data-redraws': drawn.isLeading ? '' : undefined,
        'data-proposed': drawn.proposed,
        'data-zone': drawn.isOfBrowser ? '' : undefined,
      }}
      after={
        <>
          {drawn.isLeading && !drawn.isSlot && <Redraw form={form} />}
          {drawn.proposed !== undefined && <input type="hidden" name={proposedField(pointer)} value={drawn.proposed} />}
          {form.isBlind && clearable && (
            <span class="check">
              <label>
                <input type="checkbox" name={emptiedField(name)} value="true" /> {say(form, ui.empty_it)}
              </label>
            </span>
          )}
        </>
      }
    />
  )
  if (schema[ofFile])
    return (
      <FileChooser id={notes.id} form={form}>
        {line}
      </FileChooser>
    )
  return (
    <FromFile schema={schema} id={notes.id} label={label} form={form}>
      {line}
    </FromFile>
  )
}

interface ControlInput {
  readonly name: string
  readonly text: string
  /** Whether a list offers to choose nothing. */
  readonly isOptional: boolean
  readonly clearable: boolean
  readonly form: FormContext
  readonly drawn: DrawnAs
}

type ControlOf = Pick<LineProps, 'value' | 'options' | 'blank' | 'rows' | 'attributes' | 'suggestions'>

function controlFor(schema: TSchema, { name, text, isOptional, clearable, form, drawn }: ControlInput): ControlOf {
  const choice = (options: readonly ChoiceOption[], hasBlank = isOptional): ControlOf => ({
    value: text,
    options,
    blank: drawn.blank ?? (hasBlank ? '' : undefined),
  })
  if (drawn.options) return choice(drawn.options)
  const records = form.choices.get(name)
  if (records) return choice(records.map(({ id, name }) => [id, name]))
  if (schema.enum) {
    const values = (schema.enum as unknown[]).filter(each => each !== '')
    return choice(
      values.map(each => [String(each), drawn.isSlot ? valueWords(each, form) : capital(valueWords(each, form))]),
      clearable || isOptional,
    )
  }
  if (schema.type === 'boolean')
    return choice(
      [true, false].map(each => [String(each), say(form, each ? ui.yes : ui.no)]),
      true,
    )
  if (schema.unit === 'weekday') return choice(weekdays(form))
  if (schema.format === 'timezone') return choice(timeZones())
  if (isCurrency(name) && !form.isQuery) return choice(currencies(form.locale))
  if (schema[fromFile] !== undefined || (Number(schema.maxLength ?? 0) >= severalLinesLength && /text|message|description/.test(name)))
    return { value: text, rows: 4, attributes: { maxlength: schema.maxLength } }
  return {
    value: form.secrets.includes(name) ? undefined : shownIn(schema, text, form),
    suggestions: drawn.suggestions,
    attributes: { ...typeOf(schema, name, form), placeholder: drawn.placeholder },
  }
}

/** An amount in the units that people write. A value of another type is shown as it was typed. */
const inMajorUnits = (value: unknown, { unit }: TSchema, { currency }: FormContext): string =>
  unit === 'minor_units' && typeof value === 'number' ? String(value / 10 ** minorDigits(currency)) : String(value)

/** The name of a field, without the unit, which follows its number. */
export const labelIn = (name: string, { unit }: TSchema, form: FormContext): string =>
  unit === undefined || unit === 'weekday' ? fieldWords(name, form) : headingWords(name, unit, form)

const unitWords: Readonly<Record<string, PlainMessage>> = {
  percent: ui.unit_percent,
  ms: ui.unit_ms,
  seconds: ui.unit_seconds,
  minutes: ui.unit_minutes,
  hours: ui.unit_hours,
  days: ui.unit_days,
  bytes: ui.unit_bytes,
  pixels: ui.unit_pixels,
}
function unitIn({ unit, enum: values }: TSchema, form: FormContext): string | undefined {
  if (unit === 'minor_units') return form.currency
  const words = values === undefined ? unitWords[unit ?? ''] : undefined
  return words && say(form, words)
}

const weekdays = ({ locale }: FormContext): ChoiceOption[] => [1, 2, 3, 4, 5, 6, 7].map(day => [String(day), weekday(day, locale)])

/** Types of inputs, by the format of the schema. */
const inputTypes: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'datetime-local', email: 'email', uri: 'url' }

function typeOf(schema: TSchema, name: string, { secrets }: FormContext): NonNullable<LineProps['attributes']> {
  if (secrets.includes(name)) return { type: 'password', autocomplete: 'new-password', maxlength: schema.maxLength }
  if (schema.unit === 'minor_units') return { type: 'number', inputmode: 'decimal', min: 0, step: 'any' }
  if (schema.type === 'integer' || schema.type === 'number') {
    return {
      type: 'number',
      inputmode: 'decimal',
      min: schema.minimum,
      max: schema.maximum,
      step: schema.type === 'integer' ? 1 : 'any',
    }
  }
  return {
    type: inputTypes[schema.format ?? ''] ?? 'text',
    autocomplete: 'off',
    minlength: schema.minLength || undefined,
    maxlength: schema.maxLength,
  }
}

/** A time, as the wall clock of the viewer shows it. Any other text stays as it is. */
const shownIn = (schema: TSchema, text: string, { timezone }: FormContext): string =>
  schema.format === 'date-time' && text !== '' && !Number.isNaN(Date.parse(text)) && /[Zz]|[+-]\d\d:?\d\d$/.test(text)
    ? wallClock(Date.parse(text), timezone)
    : text
