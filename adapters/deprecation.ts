/** Describes the end of a deprecated operation, in every description of it. */
import type { NamedOperation } from '../runtime/table/table.ts'

/** `Deprecated since 2026-12-01. Use goals_list. A release may remove it from 2027-12-01 on.` Undefined if it is not deprecated. */
export function deprecationOf({ deprecated }: Pick<NamedOperation, 'deprecated'>): string | undefined {
  if (!deprecated) return undefined
  const { since, until, instead } = deprecated
  return [
    `Deprecated since ${since}.`,
    instead !== undefined && `Use ${instead}.`,
    until !== undefined && `A release may remove it from ${until} on.`,
  ]
    .filter(Boolean)
    .join(' ')
}
