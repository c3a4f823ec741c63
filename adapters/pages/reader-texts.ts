/** Descriptions and faults as people read them: a page calls operations as its links and buttons do. */
import type { ErrorBody } from '../../runtime/table/errors.ts'
import type { Table } from '../../runtime/table/table.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say, sayFault } from '../../runtime/texts/say.ts'
import { labelOf } from '../../runtime/ui/operation-labels.ts'
import { plainText } from '../../runtime/ui/words.ts'
import { common } from '../../runtime/texts/common.ts'
import { titleOf } from './page-tree.ts'
import { hasForm, hasPage } from '../surfaces.ts'

/** Returns, for example, ``Several as one: “Merge events”.`` for ``Several as one: `events_merge`.`` */
export function descriptionFor(table: Table, reader: Reader, description: string): string {
  return plainText(declaredText(reader, description).replace(markedId, (_, id: string) => titleOfId(table, reader, id) ?? id))
}
const markedId = /`([a-z]+(?:_[a-z]+)+)`/g

/** An error with its messages in the language of the reader. */
export const errorFor = (reader: Reader, { code, message, details }: ErrorBody['error']): ErrorBody['error'] => ({
  code,
  message: sayFault(reader, message),
  details: details.map(fault => ({ ...fault, message: sayFault(reader, fault.message), unsaid: fault.message })),
})

function titleOfId(table: Table, reader: Reader, id: string): string | undefined {
  const operation = table.operations.get(id)
  if (!operation || !(hasPage(operation) || hasForm(operation))) return undefined
  return say(reader, common.quoted, { text: hasPage(operation) ? declaredText(reader, titleOf(operation)) : labelOf(operation, reader) })
}
