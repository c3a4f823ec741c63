/** A control for any input, by its schema. Its name is the JSON pointer of what it fills. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { shownWith } from '../../table/schema.ts'
import { isObject } from '../../values/json.ts'
import { escaped } from '../../values/pointer.ts'
import { bare } from '../cell.tsx'
import { isCondition } from '../conditions.ts'
import { fieldWords, itemWords, valueWords } from '../words.ts'
import { Checkbox } from './checkbox.tsx'
import { Condition } from './condition.tsx'
import { calledIn, type ControlProps, groupNotes, notesOf, type Option } from './control-props.ts'
import { FromFile } from './file-chooser.tsx'
import { Line } from './line.tsx'
import { SchemaLine } from './schema-line.tsx'
import { ItemList } from './item-list.tsx'
import { isPairs, Pairs } from './pairs.tsx'
import { ui } from '../messages.ts'
import { say } from '../../texts/say.ts'

/** Empty items after those that are filled, in a form without buttons that add one. */
const blankItems = 2

export function Control(props: ControlProps) {
  const { schema } = bare(props.schema)
  if (schema.type === 'array') return <ListControl {...props} />
  if (schema.type === 'object' && schema.properties) return <ObjectControl {...props} />
  if (isPairs(schema)) return <Pairs {...props} />
  if (schema.type === 'boolean' && !props.form.isBlind) return <Checkbox {...props} />
  return <SchemaLine {...props} />
}

/** Chosen records that are not offered are kept until they are taken out: a list has at most 100 records. */
const unlisted = (values: readonly unknown[], options: readonly Option[]): Option[] =>
  values.filter(value => !options.some(({ id }) => id === value)).map(value => ({ id: String(value), name: String(value) }))

interface OrderProps extends ControlProps {
  readonly options: readonly Option[]
  readonly id: string
  readonly notes: Child
}

/** The order of records: a choice of the record in each place. */
function Order({ pointer, label, value, form, options, id, notes }: OrderProps) {
  const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : options.map(option => option.id)
  const choices = options.map(option => [option.id, option.name] as const)
  return (
    <fieldset class="group" id={id}>
      <legend>{label ?? say(form, ui.in_order)}</legend>
      {options.map((_, i) => (
        <Line
          id={`${id}-${i}`}
          name={calledIn(form, pointer)}
          label={say(form, ui.place_number, { number: i + 1 })}
          value={String(values[i] ?? '')}
          options={choices}
        />
      ))}
      {notes}
    </fieldset>
  )
}

type Properties = Readonly<Record<string, TSchema>>

/** Whether other fields of the record depend on the value of a field. */
export const leads = (name: string, fields: Properties): boolean => Object.values(fields).some(each => each[shownWith]?.field === name)

/** Fields that apply to the values of a record. */
const fieldsShown = (fields: Properties, record: Readonly<Record<string, unknown>>): [string, TSchema][] =>
  Object.entries(fields).filter(([, { [shownWith]: only }]) => {
    if (!only || !Object.hasOwn(fields, only.field)) return true
    return only.values.includes(String(record[only.field] ?? firstOf(fields[only.field])))
  })

/** The value that a choice without an empty value shows at first. */
export const firstOf = (given: TSchema | undefined): unknown => {
  if (!given) return undefined
  const { schema, clearable } = bare(given)
  return given.default ?? schema.default ?? (clearable ? undefined : (schema.enum as unknown[] | undefined)?.[0])
}

function ObjectControl(props: ControlProps) {
  const { pointer, name, schema: given, value, form, label } = props
  const { schema } = bare(given)
  const { notes } = groupNotes(props)
  const record = isObject(value) ? value : {}
  return (
    <fieldset class="group">
      <legend>{label ?? fieldWords(name, form)}</legend>
      {fieldsShown(schema.properties, record).map(([field, property]) => (
        <Control
          pointer={`${pointer}/${escaped(field)}`}
          name={field}
          schema={property}
          value={record[field]}
          form={form}
          drawn={{ isLeading: form.isRedrawn && leads(field, schema.properties) }}
        />
      ))}
      {notes}
    </fieldset>
  )
}

function ListControl(props: ControlProps) {
  const { pointer, name, schema: given, value, form, label } = props
  const { schema } = bare(given)
  const items: TSchema = schema.items ?? {}
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  const options: readonly Option[] | undefined =
    props.drawn?.options?.map(([each, called]) => ({ id: each, name: called })) ??
    form.choices.get(name) ??
    (items.enum as unknown[] | undefined)?.map(each => ({ id: String(each), name: valueWords(each, form) }))
  // The description of conditions is for programs; a form has a control for each part.
  const described = isCondition(items) ? { ...props, schema: { ...given, description: say(form, ui.conditions_help) } } : props
  const isGroup = Boolean(options) || items.type === 'object' || isCondition(items)
  if (!isGroup)
    return props.drawn?.isRows && form.isRedrawn ? <RowsControl {...props} values={values} /> : <LinesControl {...props} values={values} />
  const { id, notes, described: describedBy } = groupNotes(described)
  if (options && name === 'ids') return <Order {...props} options={options} id={id} notes={notes} />
  if (options) {
    return (
      <fieldset class="group" id={id} aria-describedby={describedBy}>
        <legend>{label ?? fieldWords(name, form)}</legend>
        <input type="hidden" name={calledIn(form, pointer)} value="" />
        <div class="choices">
          {[...options, ...unlisted(values, options)].map(option => (
            <label>
              <input type="checkbox" name={calledIn(form, pointer)} value={option.id} checked={values.includes(option.id)} /> {option.name}
            </label>
          ))}
          {options.length === 0 && !(schema.description ?? given.description) && <span class="help">{say(form, ui.none_yet)}</span>}
        </div>
        {notes}
      </fieldset>
    )
  }
  if (form.isRedrawn) {
    const min = Number(schema.minItems ?? 0)
    const isCompact = props.drawn?.isRows === true && items.properties !== undefined
    return (
      <ItemList
        {...described}
        add={props.drawn?.add}
        isCompact={isCompact}
        values={values}
        min={min}
        max={Number(schema.maxItems ?? 50)}
        minShown={Math.max(min, props.required ? 1 : 0)}
        isOrdered={!isCondition(items)}
        draw={(i, item) =>
          isCondition(items) ? (
            <Condition pointer={`${pointer}/${i}`} index={i} value={isBlankItem(item) ? undefined : item} form={form} />
          ) : isCompact ? (
            <RecordRow pointer={`${pointer}/${i}`} name={name} schema={items} value={item} form={form} />
          ) : (
            <Control
              pointer={`${pointer}/${i}`}
              name={name}
              label={`${itemWords(name, form)} ${i + 1}`}
              schema={items}
              value={item}
              form={form}
            />
          )
        }
      />
    )
  }
  const shown = Math.min(Number(schema.maxItems ?? 50), Math.max(values.length + blankItems, Number(schema.minItems ?? 0)))
  return (
    <fieldset class="group" id={id} aria-describedby={describedBy}>
      <legend>{label ?? fieldWords(name, form)}</legend>
      {notes}
      {Array.from({ length: shown }, (_, i) =>
        isCondition(items) ? (
          <Condition pointer={`${pointer}/${i}`} index={i} value={values[i]} form={form} />
        ) : isShort(items) ? (
          <LabelledRow
            pointer={`${pointer}/${i}`}
            name={name}
            label={`${itemWords(name, form)} ${i + 1}`}
            schema={i === 0 ? items : withoutHelp(items)}
            value={values[i]}
            form={form}
          />
        ) : (
          <Control
            pointer={`${pointer}/${i}`}
            name={name}
            label={`${itemWords(name, form)} ${i + 1}`}
            schema={items}
            value={values[i]}
            form={form}
          />
        ),
      )}
    </fieldset>
  )
}

/** An item with a field or two has a row, and not a group with a heading. */
const isShort = ({ properties }: TSchema): boolean => properties !== undefined && Object.keys(properties as Properties).length <= 2

/** The first item has said what its fields are. */
const withoutHelp = (items: TSchema): TSchema => ({
  ...items,
  properties: Object.fromEntries(
    Object.entries(items.properties as Properties).map(([name, { description: _, ...schema }]) => [name, schema as TSchema]),
  ),
})

/** The fields of an item in a row, each with its label. */
function LabelledRow({ pointer, schema, value, form, label }: ControlProps) {
  const record = isObject(value) ? value : {}
  return (
    <fieldset class="kinds">
      <legend class="unseen">{label}</legend>
      <div class="pair">
        {Object.entries(schema.properties as Properties).map(([field, property]) => (
          <Control pointer={`${pointer}/${escaped(field)}`} name={field} schema={property} value={record[field]} form={form} />
        ))}
      </div>
    </fieldset>
  )
}

/** The fields of an item in a row, each with its name in it. */
function RecordRow({ pointer, schema, value, form }: ControlProps) {
  const record = isObject(value) ? value : {}
  return (
    <div class="pair">
      {fieldsShown(schema.properties as Properties, record).map(([field, property]) => (
        <Control
          pointer={`${pointer}/${escaped(field)}`}
          name={field}
          schema={property}
          value={record[field]}
          form={form}
          drawn={{ isSlot: true, placeholder: property.description && form.described(property.description) }}
        />
      ))}
    </div>
  )
}

/** An item that was added and not filled in. */
export const isBlankItem = (item: unknown): boolean =>
  item === undefined || item === null || item === '' || (Array.isArray(item) && item.length === 0)

/** A list of texts, with a control for each. */
function RowsControl({ values, ...props }: ControlProps & { readonly values: readonly unknown[] }) {
  const { pointer, name, schema: given, form } = props
  const { schema } = bare(given)
  const items: TSchema = schema.items ?? {}
  const min = Number(schema.minItems ?? 0)
  return (
    <ItemList
      {...props}
      values={values}
      min={min}
      max={Number(schema.maxItems ?? 50)}
      minShown={Math.max(min, 1)}
      isOrdered={false}
      isCompact
      add={props.drawn?.add}
      draw={(i, item) => (
        <SchemaLine
          pointer={`${pointer}/${i}`}
          name={name}
          label={`${itemWords(name, form)} ${i + 1}`}
          schema={{ ...items, description: undefined }}
          value={item}
          required={i < min}
          form={form}
          drawn={{ ...props.drawn, isSlot: true }}
        />
      )}
    />
  )
}

/** A list of texts, one a line. */
function LinesControl({ values, ...props }: ControlProps & { readonly values: readonly unknown[] }) {
  const { pointer, name, schema: given, form, label = fieldWords(name, form) } = props
  const notes = notesOf(props)
  return (
    <FromFile schema={bare(given).schema} id={notes.id} label={label} form={form}>
      <Line
        {...notes}
        name={calledIn(form, pointer)}
        label={say(form, ui.one_a_line, { name: label })}
        value={values.map(String).join('\n')}
        rows={3}
      />
    </FromFile>
  )
}
