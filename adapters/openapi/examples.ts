/** Examples of the rows, with plausible ids where they name what the example world holds (`{{site}}`). */
import { createHash } from 'node:crypto'
import { type IdKind, idPrefixes, makeId, makeUuid } from '../../runtime/ids.ts'

const madeAt = Date.parse('2026-03-10T12:00:00Z')
/** Ids of the example world that are not named for their kind. */
const kinds: Readonly<Record<string, IdKind>> = { owner: 'member' }

export function filled(value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_, name: string) => plausibleId(name)))
}

/** The same id for the same name, always: the file must not change by itself. */
function plausibleId(name: string): string {
  const chance = createHash('sha256').update(name).digest()
  const kind = kinds[name] ?? name
  return isIdKind(kind) ? makeId(kind, madeAt, chance) : makeUuid(chance.subarray(0, 16))
}

function isIdKind(name: string): name is IdKind {
  return Object.hasOwn(idPrefixes, name)
}
