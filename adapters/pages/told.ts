/** Descriptions as people read them: they name operations, as programs call these; a page calls them as its buttons do. */
import type { Table } from '../../runtime/table.ts'
import { told } from '../../runtime/languages/index.ts'
import { labelOf } from './doing.tsx'
import { inLanguage, type Reader, say } from './languages/index.ts'
import { hasForm, hasPage, titleOf } from './places.ts'
import { fieldWords, plainText } from './words.ts'

/** Not in quotation marks, nor after the colon of a property: what stands there is somebody's own. */
const idInText = /(?<![":\w])[a-z]+(?:_[a-z]+)+(?!["\w])/g

/** @returns `Several as one: “Merge events”.`, of `Several as one: events_merge.` */
export function toldTo(table: Table, reader: Reader, description: string): string {
  return plainText(inLanguage(reader, description)).replace(idInText, id => titleOfId(table, reader, id) ?? id)
}

/** What a report says about its own answer, such as amounts that it leaves out: its metrics are called as they are above it. */
export function toldNote(table: Table, reader: Reader, message: string): string {
  return told(reader, message).replace(
    idInText,
    id => titleOfId(table, reader, id) ?? say(reader, 'quoted', { text: fieldWords(id, reader) }),
  )
}

function titleOfId(table: Table, reader: Reader, id: string): string | undefined {
  const operation = table.operations.get(id)
  if (!operation || !(hasPage(operation) || hasForm(operation))) return undefined
  return say(reader, 'quoted', { text: hasPage(operation) ? inLanguage(reader, titleOf(operation)) : labelOf(operation, reader) })
}
