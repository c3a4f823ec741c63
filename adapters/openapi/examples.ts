/** Examples of the rows, with plausible ids where they name what the example world holds (`{{site}}`). */
import { createHash } from 'node:crypto'
import { type IdKind, makeId, makeUuid } from '../../runtime/ids.ts'
import type { NamedOperation, Table } from '../../runtime/table.ts'

const madeAt = Date.parse('2026-03-10T12:00:00Z')

export function withPlausibleIds(operation: NamedOperation, ids: Table['ids']): NamedOperation {
  const filled = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_, name: string) => plausibleId(name, ids[name])))
  return { ...operation, examples: operation.examples.map(example => ({ ...example, input: filled(example.input) })) }
}

/** The same id for the same name, always: the file must not change by itself. */
function plausibleId(name: string, kind: IdKind | undefined): string {
  const chance = createHash('sha256').update(name).digest()
  return kind ? makeId(kind, madeAt, chance) : makeUuid(chance.subarray(0, 16))
}
