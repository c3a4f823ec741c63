/** Descriptions as people read them: they name operations, as programs call these; a page calls them as its buttons do. */
import type { Table } from '../../runtime/table.ts'
import { labelOf } from './doing.tsx'
import { inLanguage, type Reader, say } from './languages/index.ts'
import { hasForm, hasPage, titleOf } from './places.ts'
import { plainText } from './words.ts'

const idInText = /[a-z]+(?:_[a-z]+)+/g

/** @returns `Several as one: “Merge events”.`, of `Several as one: events_merge.` */
export function toldTo(table: Table, reader: Reader, description: string): string {
  return plainText(inLanguage(reader, description)).replace(idInText, id => {
    const operation = table.operations.get(id)
    if (!operation || !(hasPage(operation) || hasForm(operation))) return id
    return say(reader, 'quoted', { text: hasPage(operation) ? inLanguage(reader, titleOf(operation)) : labelOf(operation, reader) })
  })
}
