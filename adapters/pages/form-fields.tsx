/** The fields of a form: as its area lays them out, otherwise by the schema of the operation. */
import type { TSchema } from '@sinclair/typebox'
import type { Content } from '../../runtime/table/page.ts'
import { shownWith } from '../../runtime/table/schema.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { say } from '../../runtime/texts/say.ts'
import { bare } from '../../runtime/ui/cell.tsx'
import { isCondition } from '../../runtime/ui/conditions.ts'
import { calledBy } from '../../runtime/ui/fields/called-by.ts'
import { Condition } from '../../runtime/ui/fields/condition.tsx'
import { Control, firstOf, isBlankItem, leads } from '../../runtime/ui/fields/control.tsx'
import { type DrawnAs, type FormContext, idOf } from '../../runtime/ui/fields/control-props.ts'
import { ItemList } from '../../runtime/ui/fields/item-list.tsx'
import { Redraw } from '../../runtime/ui/fields/redraw.tsx'
import { Kinds } from '../../runtime/ui/fields/kinds.tsx'
import type { FieldWords } from '../../runtime/ui/fields/field-words.ts'
import type { FormLayout, FormParts, ItemParts, KindCard, ListWords } from '../../runtime/ui/form-layout.ts'
import { ui } from '../../runtime/ui/messages.ts'
import type { ViewedPage } from '../../runtime/ui/viewed-page.ts'
import { isObject } from '../../runtime/values/json.ts'
import { escaped } from '../../runtime/values/pointer.ts'

type Fields = Readonly<Record<string, unknown>>

export interface FieldsInput {
  readonly operation: NamedOperation
  readonly layout: FormLayout | undefined
  readonly values: Fields
  /** The record that the form changes. */
  readonly record: Fields | undefined
  /** Fields that were typed. */
  readonly typed: ReadonlySet<string>
  /** Texts that the form proposed when it was drawn before, by field. */
  readonly proposed: Readonly<Record<string, string>>
  readonly form: FormContext
  readonly page: () => ViewedPage
}

export interface DrawnFields {
  readonly content: Content
  /** Texts that the form proposes, by field. */
  readonly proposals: Readonly<Record<string, string>>
  /** Labels of the form, by field. */
  readonly labels: Readonly<Record<string, string>>
}

/** @throws Error if a layout draws a field twice, or lacks a required one */
export async function drawFields(input: FieldsInput): Promise<DrawnFields> {
  const { operation, layout, form } = input
  const drawing = openFields(input)
  if (!layout) return { content: drawing.parts.rest(), proposals: {}, labels: {} }
  const content = await layout.draw(drawing.parts as FormParts<never>)
  const missing = drawing.missing()
  if (missing.length > 0 && !form.isDraft) throw new Error(`The form of ${operation.id} lacks the required ${missing.join(', ')}`)
  return { content, proposals: drawing.proposals, labels: drawing.labels }
}

function openFields({ operation, values: given, record, typed, proposed: before, form: drawnIn, page }: FieldsInput) {
  let values = given
  let form = drawnIn
  const { input } = operation
  const properties: Readonly<Record<string, TSchema>> = input.properties
  const left = new Set(Object.keys(properties))
  const proposals: Record<string, string> = {}
  const labels: Record<string, string> = {}
  const labelled = (name: string, label: string | undefined): FormContext => {
    if (label === undefined) return form
    labels[name] = label
    return { ...form, faults: calledBy({ [name]: label }, form.faults, form) }
  }
  const slots: { readonly name: string; readonly isLeading: boolean }[] = []
  const isNeeded = (name: string): boolean => (input.required?.includes(name) ?? false) && properties[name]?.default === undefined
  const take = (name: string): TSchema => {
    const schema = properties[name]
    if (!schema || !left.delete(name)) throw new Error(`The form of ${operation.id} has no field ${name} left to draw`)
    return schema
  }
  const control = (
    name: string,
    { label, help, value: shown, isOptional, isWanted, proposed, ...words }: FieldWords = {},
    drawn: DrawnAs = {},
  ) => {
    const schema = take(name)
    if (proposed !== undefined) proposals[name] = proposed
    // A text that was proposed and not changed follows the other fields.
    const value = shown ?? (proposed !== undefined && values[name] === before[name] ? undefined : values[name])
    return (
      <Control
        pointer={`/${name}`}
        name={name}
        schema={help === undefined ? schema : { ...schema, description: help }}
        value={value}
        required={isWanted === true && !isNeeded(name) ? undefined : isNeeded(name) && isOptional !== true}
        form={labelled(name, label)}
        drawn={{
          ...words,
          ...drawn,
          proposed,
          isOfBrowser: words.isOfBrowser === true && isUsual(name),
          isLeading: form.isRedrawn === true && (words.isLeading ?? leads(name, properties)),
        }}
        {...(label !== undefined && { label })}
      />
    ) as Content
  }
  const field = (name: string, words?: FieldWords): Content => control(name, words)
  const applies = (name: string): boolean => {
    const only = properties[name]?.[shownWith]
    if (!only) return true
    if (!Object.hasOwn(properties, only.field)) return record === undefined || only.values.includes(String(record[only.field]))
    return only.values.includes(String(values[only.field] ?? firstOf(properties[only.field])))
  }
  const rest = (): Content => {
    const names = [...left].filter(applies)
    for (const name of left) if (!applies(name)) left.delete(name)
    return (<>{names.map(name => field(name))}</>) as Content
  }
  let begun: Fields = {}
  const isUsual = (name: string): boolean => name in begun && !typed.has(name) && values[name] === begun[name]
  const isUsed = (name: string): boolean => {
    const value = name in begun && values[name] === begun[name] ? undefined : (values[name] ?? undefined)
    const isFaulty = form.faults.some(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
    return isFaulty || (value !== undefined && value !== '' && JSON.stringify(value) !== JSON.stringify(properties[name]?.default))
  }
  const parts: FormParts<string> = {
    field,
    slot: (name, words) => {
      slots.push({ name, isLeading: words?.isLeading === true })
      return control(name, words, { isSlot: true })
    },
    sentence(content) {
      const drawn = slots.splice(0)
      const faults = drawn.flatMap(({ name }) => calledBy(labels, form.faults, form).filter(({ pointer }) => pointer === `/${name}`))
      return (
        <div class="sentence">
          <p>{content}</p>
          {drawn.some(({ isLeading }) => isLeading) && <Redraw form={form} />}
          {faults.map(({ pointer, message }) => (
            <span class="fault" id={`${idOf(pointer)}-fault`}>
              {message}
            </span>
          ))}
        </div>
      ) as Content
    },
    kinds(name, cards: readonly KindCard[], { label, isFinal } = {}) {
      const schema = take(name)
      const value = values[name] ?? undefined
      return (
        <Kinds
          pointer={`/${name}`}
          name={name}
          schema={schema}
          value={value}
          form={labelled(name, label)}
          cards={cards}
          isFinal={isFinal}
          {...(label !== undefined && { label })}
        />
      ) as Content
    },
    list: (name, words) => listOf({ name, schema: take(name), value: values[name], form: labelled(name, words?.label), words }),
    live: (name, content) =>
      (
        <div class="renewed" id={`live-${name}`} data-live="" role="status">
          {content}
        </div>
      ) as Content,
    without(...names) {
      for (const name of names) left.delete(name)
    },
    rest,
    more(label = say(form, ui.more_settings), words = {}) {
      const names = [...left].filter(applies)
      const isOpen = names.some(isUsed)
      if (names.length === 0) return rest()
      return (
        <details class="more-fields" open={isOpen}>
          <summary>{label}</summary>
          {names.map(name => field(name, words[name]))}
        </details>
      ) as Content
    },
    begin(usual) {
      const isBegun = (name: string): boolean => {
        const value = values[name] ?? undefined
        return typed.has(name) || (value !== undefined && JSON.stringify(value) !== JSON.stringify(properties[name]?.default))
      }
      if (form.isChange) return values
      begun = { ...begun, ...usual }
      values = { ...values, ...Object.fromEntries(Object.entries(usual).filter(([name]) => !isBegun(name))) }
      return values
    },
    get values() {
      return values
    },
    offer(name, options) {
      form = { ...form, choices: new Map([...form.choices, [name, options]]) }
    },
    get choices() {
      return form.choices
    },
    record,
    isNew: !form.isChange,
    reader: form,
    get page() {
      return page()
    },
  }
  return { parts, proposals, labels, missing: () => [...left].filter(isNeeded) }
}

interface ListOfInput {
  readonly name: string
  readonly schema: TSchema
  readonly value: unknown
  readonly form: FormContext
  readonly words: ListWords | undefined
}

/** A list of records with a layout of its items. */
function listOf({ name, schema: given, value, form, words = {} }: ListOfInput): Content {
  const { schema } = bare(given)
  const items: TSchema = bare(schema.items ?? {}).schema
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  const min = Number(schema.minItems ?? 0)
  const { label, help, add, first = min, draw, known } = words
  const pointer = `/${name}`
  const itemParts = (index: number, item: unknown): ItemParts => {
    const record = isObject(item) ? item : {}
    const control = (
      field: string,
      { label: called, help: description, value: shown, isWanted: _, ...drawn }: FieldWords = {},
      isLeading = false,
    ) => {
      const property: TSchema | undefined = items.properties?.[field]
      if (!property) throw new Error(`An item of ${name} has no field ${field}`)
      return (
        <Control
          pointer={`${pointer}/${index}/${escaped(field)}`}
          name={field}
          schema={{ ...property, description: description ?? '' }}
          value={shown ?? record[field] ?? undefined}
          form={form}
          drawn={{ ...drawn, isLeading: isLeading && form.isRedrawn === true }}
          {...(called !== undefined && { label: called })}
        />
      ) as Content
    }
    return {
      index,
      values: record,
      field: (field, words) => control(field, words),
      choice: (field, words) => control(field, words, true),
    }
  }
  return (
    <ItemList
      pointer={pointer}
      name={name}
      schema={help === undefined ? given : { ...given, description: help }}
      value={value}
      form={form}
      values={values}
      min={min}
      max={Number(schema.maxItems ?? 50)}
      minShown={first}
      isOrdered={!isCondition(items)}
      add={add}
      {...(label !== undefined && { label })}
      draw={(index, item) =>
        draw ? (
          draw(itemParts(index, item))
        ) : isCondition(items) ? (
          <Condition pointer={`${pointer}/${index}`} index={index} value={isBlankItem(item) ? undefined : item} form={form} known={known} />
        ) : (
          <Control pointer={`${pointer}/${index}`} name={name} schema={items} value={isBlankItem(item) ? undefined : item} form={form} />
        )
      }
    />
  ) as Content
}
