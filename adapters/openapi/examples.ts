/** Operations' examples, with plausible ids in place of names of the example world (`{{site}}`). */
import { createHash } from 'node:crypto'
import { type IdKind, makeId, makeUuid } from '../../runtime/values/ids.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'

const madeAt = Date.parse('2026-03-10T12:00:00Z')

export function withPlausibleIds(operation: NamedOperation, ids: Table['ids']): NamedOperation {
  const filled = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_, name: string) => plausibleId(name, ids[name])))
  return { ...operation, examples: operation.examples.map(example => ({ ...example, input: filled(example.input) })) }
}

/** Always the same id for a name, so that the file is stable. */
function plausibleId(name: string, kind: IdKind | undefined): string {
  const chance = createHash('sha256').update(name).digest()
  return kind ? makeId(kind, madeAt, chance) : makeUuid(chance.subarray(0, 16))
}
