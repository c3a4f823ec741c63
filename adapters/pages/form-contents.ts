/** Fills in a form: with the record, then with the typed values. Finds values that another request has changed in the meantime. */
import { conflictsOf, type Drawn, fieldDigest } from '../../runtime/call/form-digests.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import type { Conflict } from '../../runtime/ui/conflicts.tsx'
import { drawnFor, shownBy } from '../../runtime/ui/control-values.ts'
import type { FormContext } from '../../runtime/ui/fields/control-props.ts'
import type { SubmittedForm } from './page-response.ts'
import { valuesOf } from './answer-facts.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Filling {
  readonly values: Fields
  readonly drawn: Drawn | undefined
  readonly conflicts: readonly Conflict[]
}

/** @param sent values of the address, or a form that was refused */
export function filling(
  operation: NamedOperation,
  { record, sent }: { record: Fields | undefined; sent: Pick<SubmittedForm, 'values'> & Partial<SubmittedForm> },
  { timezone, isBlind = false }: Pick<FormContext, 'timezone' | 'isBlind'>,
): Filling {
  if (operation.method !== 'PATCH' || isBlind)
    return {
      values: { ...(sent.error ? {} : untyped(valuesOf(operation, record), sent)), ...sent.values },
      drawn: undefined,
      conflicts: [],
    }
  const now = valuesOf(operation, record)
  const drawn = drawnFor(operation, now, timezone)
  if (!sent.error && !sent.draft) return { values: { ...now, ...sent.values }, drawn, conflicts: [] }
  if (!sent.drawn) return { values: sent.values, drawn: undefined, conflicts: [] }
  const values = { ...now, ...sent.values }
  if (sent.error?.code !== 'edit_conflict') {
    // A typed value is still to be compared with the value that it replaced.
    const asTyped = [...drawn].map(
      ([name, digest]) => [name, (Object.hasOwn(sent.values, name) && sent.drawn?.get(name)) || digest] as const,
    )
    return { values, drawn: new Map(asTyped), conflicts: [] }
  }
  const shown = shownBy(operation, timezone)
  const names = conflictsOf({
    drawn: sent.drawn,
    changed: sent.values,
    record: now,
    digest: (name, value) => fieldDigest(shown(name, value)),
  })
  return { values, drawn, conflicts: names.map(name => ({ name, mine: sent.values[name], theirs: now[name] })) }
}

/** A typed field that was cleared stays so. */
const untyped = (values: Fields, { draft }: Partial<SubmittedForm>): Fields =>
  draft ? Object.fromEntries(Object.entries(values).filter(([name]) => !draft.typed.has(name))) : values
