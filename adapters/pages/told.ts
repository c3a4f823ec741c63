/**
 * Descriptions and faults as people read them: they name operations and fields, as programs call these; a page calls them as
 * its buttons and controls do.
 */
import type { TSchema } from '@sinclair/typebox'
import { Message, type Sentence } from '../../runtime/texts/message.ts'
import type { Detail, ErrorBody } from '../../runtime/table/errors.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { bare } from '../../runtime/ui/cell.tsx'
import { labelOf } from '../../runtime/ui/operation-labels.ts'
import { toldError } from '../../runtime/ui/languages/index.ts'
import { hasForm, hasPage, titleOf } from './page-tree.ts'
import { fieldWords, plainText, valueWords } from '../../runtime/ui/words.ts'
import { m } from './messages.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'

/** Not in quotation marks, nor after the colon of a property: what stands there is somebody's own. */
const idInText = /(?<![":\w])[a-z]+(?:_[a-z]+)+(?!["\w])/g

/** @returns ``Several as one: “Merge events”.``, of ``Several as one: `events_merge`.`` */
export function toldTo(table: Table, reader: Reader, description: string): string {
  return plainText(declaredText(reader, description).replace(markedId, (_, id: string) => titleOfId(table, reader, id) ?? id))
}
const markedId = /`([a-z]+(?:_[a-z]+)+)`/g

/** What a report says about its own answer, such as amounts that it leaves out: its metrics are called as they are above it. */
export function toldNote(table: Table, reader: Reader, message: Sentence): string {
  return say(reader, message).replace(
    idInText,
    id => titleOfId(table, reader, id) ?? say(reader, m.quoted, { text: fieldWords(id, reader) }),
  )
}

/** Faults of an input, in whose messages fields and values are called as their controls are. */
export function toldFaults(reader: Reader, { input }: NamedOperation, error: ErrorBody['error']): ErrorBody['error'] {
  const { code, message, details }: ErrorBody['error'] = toldError<Detail, ErrorBody['error']>(reader, error)
  const properties: Readonly<Record<string, TSchema | undefined>> = input.properties
  const asControl = ({ pointer, message: text }: Detail): Sentence => {
    if (text instanceof Message) return text
    const name = pointer.slice(1)
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!schema) return text
    const values: readonly unknown[] = bare(schema).schema.enum ?? []
    const said = values.length > 0 ? text.replace(values.join(', '), () => values.map(value => valueWords(value, reader)).join(', ')) : text
    return said.startsWith(`${name} `) ? fieldWords(name, reader) + said.slice(name.length) : said
  }
  return { code, message, details: details.map(fault => ({ ...fault, message: asControl(fault) })) }
}

function titleOfId(table: Table, reader: Reader, id: string): string | undefined {
  const operation = table.operations.get(id)
  if (!operation || !(hasPage(operation) || hasForm(operation))) return undefined
  return say(reader, m.quoted, { text: hasPage(operation) ? declaredText(reader, titleOf(operation)) : labelOf(operation, reader) })
}
