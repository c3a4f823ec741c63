/** Descriptions as people read them: they name operations, as programs call these; a page calls them as its buttons do. */
import type { Table } from '../../runtime/table.ts'
import { told } from '../../runtime/languages/index.ts'
import { labelOf } from './doing.tsx'
import { inLanguage, type Reader, say } from './languages/index.ts'
import { hasForm, hasPage, titleOf } from './places.ts'
import { plainText } from './words.ts'

/** Not in quotation marks: what stands there is somebody's own. */
const idInText = /(?<!["\w])[a-z]+(?:_[a-z]+)+(?!["\w])/g

/** @returns `Several as one: “Merge events”.`, of `Several as one: events_merge.` */
export function toldTo(table: Table, reader: Reader, description: string): string {
  return calledAsPages(table, reader, plainText(inLanguage(reader, description)))
}

/** What a report says about its own answer, such as amounts that it leaves out. */
export const toldNote = (table: Table, reader: Reader, message: string): string => calledAsPages(table, reader, told(reader, message))

function calledAsPages(table: Table, reader: Reader, message: string): string {
  return message.replace(idInText, id => {
    const operation = table.operations.get(id)
    if (!operation || !(hasPage(operation) || hasForm(operation))) return id
    return say(reader, 'quoted', { text: hasPage(operation) ? inLanguage(reader, titleOf(operation)) : labelOf(operation, reader) })
  })
}
