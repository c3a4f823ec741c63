/**
 * The texts that a table declares, each with an id made of its place. Pages look a text up by its English: places that
 * declare the same English share one translation (runtime/texts/catalogues.ts).
 *
 * | id | text |
 * |---|---|
 * | `alerts_create.summary`, `.description`, `.title`, `.label`, `.empty`, `.done`, `.entry.0` | of the operation |
 * | `alerts_create.window_minutes` | help of a field of its input |
 * | `Alert.state` | description of a field of a record |
 * | `field.window_minutes` | label of every field of this name |
 * | `Alert.channel_ids.item` | an item of a list |
 * | `value.triggered` | every value of an enumeration with this name, operators and events |
 * | `permission.sites.manage` | what it allows |
 */
import type { TSchema } from '@sinclair/typebox'
import { valueText, words } from '../texts/names.ts'
import { declareTexts } from '../texts/catalogues.ts'
import { nameOperations } from '../texts/say.ts'
import { shortOf, titleOf } from './operation-names.ts'
import { permissions } from './permissions.ts'
import { dimensions } from '../../storage/engine/vocabulary/dimensions.ts'
import { operatorNames } from '../../storage/engine/vocabulary/operators.ts'
import { help } from './schema.ts'
import type { NamedOperation, Table } from './table.ts'

export interface TableText {
  readonly id: string
  readonly english: string
  /** Text for people, if the English speaks to programs. */
  readonly help?: string | undefined
  /** The area that declares it; undefined for names that several areas use. */
  readonly area: string | undefined
}

interface DeclaredText {
  readonly id: string
  readonly english: string | undefined
  readonly area: string | undefined
  readonly forPeople?: string | undefined
}

/** All texts of a table, in its order. Ids are unique. */
export const textsOf = (table: Pick<Table, 'areas'>): TableText[] => [...piecesOf(table)].flat()

/** The same, a piece for each operation: walking all schemas takes longer than a turn of the event loop should. */
function* piecesOf(table: Pick<Table, 'areas'>): Generator<readonly TableText[]> {
  const ids = new Set<string>()
  let texts: TableText[] = []
  const add = ({ id, english, area, forPeople }: DeclaredText) => {
    if (english === undefined || english === '' || ids.has(id)) return
    ids.add(id)
    texts.push({ id, english, help: forPeople, area })
  }
  const taken = () => {
    const piece = texts
    texts = []
    return piece
  }
  const names = { field: new Map<string, Set<string>>(), value: new Map<string, Set<string>>() }
  const named = (kind: 'field' | 'value', name: string, area: string) => {
    const areas = names[kind].get(name) ?? new Set()
    names[kind].set(name, areas.add(area))
  }
  for (const area of table.areas)
    for (const [id, operation] of operationsOf(area)) {
      add({ id: `${id}.summary`, english: operation.summary, area: area.name })
      add({ id: `${id}.description`, english: operation.description, area: area.name, forPeople: operation.help })
      add({ id: `${id}.title`, english: titleOf(operation), area: area.name })
      add({ id: `${id}.label`, english: shortOf(operation), area: area.name })
      for (const [i, { title }] of operation.entries.entries()) add({ id: `${id}.entry.${i}`, english: title, area: area.name })
      add({ id: `${id}.empty`, english: operation.empty?.says, area: area.name })
      add({ id: `${id}.done`, english: operation.done, area: area.name })
      const look = (schema: TSchema, place: string, isOwn = false): void => {
        const own = schema.title === undefined || isOwn ? place : schema.title
        if (schema.title !== undefined) {
          add({ id: `${schema.title}.record`, english: schema.description, area: area.name })
          named('field', schema.title, area.name)
        }
        for (const value of [...(schema.enum ?? []), schema.const])
          if (typeof value === 'string' && value !== '') named('value', value, area.name)
        if (schema.items) add({ id: `${own}.item`, english: schema.items.description, area: area.name })
        for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) look(inner, own)
        for (const [name, field] of Object.entries<TSchema>(schema.properties ?? {})) {
          for (const each of namesOf(name)) named('field', each, area.name)
          add({ id: `${own}.${name}`, english: field.description, area: area.name, forPeople: field[help] })
          look(field, `${own}.${name}`)
        }
      }
      look(operation.input, id, true)
      for (const [name, schema] of Object.entries(operation.pathInput)) look(schema, `${id}.${name}`)
      look(operation.output, id)
      look(operation.meta, `${id}.meta`)
      yield taken()
    }
  for (const area of table.areas) for (const { type } of Object.values(area.events ?? {})) named('value', type, area.name)
  for (const name of operatorNames) named('value', name, '')
  for (const name of dimensions.keys()) named('field', name, '')
  for (const [kind, known] of Object.entries(names))
    for (const [name, areas] of known) {
      const [only] = areas
      add({
        id: `${kind}.${name}`,
        english: kind === 'field' ? words(name) : valueText(name),
        area: areas.size === 1 && only !== '' ? only : undefined,
      })
    }
  for (const [name, english] of Object.entries(permissions)) add({ id: `permission.${name}`, english, area: undefined })
  yield taken()
}

const known = new WeakSet<Table>()
/** Makes the texts of a table known to those that say them. They are collected when a language is first loaded. */
export function declareTextsOf(table: Table): void {
  if (known.has(table)) return
  known.add(table)
  declareTexts(() => piecesOf(table))
  nameOperations(id => {
    const operation = table.operations.get(id)
    return operation && (operation.method === 'GET' ? titleOf(operation) : shortOf(operation))
  })
}

const operationsOf = ({ operations = {} }: Table['areas'][number]): [string, NamedOperation][] =>
  (Array.isArray(operations) ? operations : [operations]).flatMap(module =>
    Object.entries(module as Readonly<Record<string, NamedOperation>>),
  )

const unitEnding = /_(cents|ms|seconds|minutes|hours|bytes|percent)$/
/** A field's name, and as pages shorten it: without its unit, as the record whose id it has, as one of several. */
function namesOf(name: string): ReadonlySet<string> {
  const subject = name.replace(/_ids$/, 's').replace(/_id$/, '')
  return new Set([name, name.replace(unitEnding, ''), subject, ...[name, subject].map(each => each.replace(/ies$/, 'y').replace(/s$/, ''))])
}
