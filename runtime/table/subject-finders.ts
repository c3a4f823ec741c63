/** Finds the list operations by which the id of a subject can be looked up. */
import type { TSchema } from '@sinclair/typebox'
import type { Subject } from './subject.ts'
import type { NamedOperation, Table } from './table.ts'

const found = new WeakMap<Table, ReadonlyMap<string, readonly NamedOperation[]>>()

/**
 * The lists with the records of a subject: their records have all fields that reading or changing the subject answers, or
 * their path is the path of the subject without the id. Empty if no operation lists it.
 */
export function findersOf(table: Table, subject: string): readonly NamedOperation[] {
  let known = found.get(table)
  if (!known) found.set(table, (known = finders([...table.operations.values()])))
  return known.get(subject) ?? []
}

function finders(operations: readonly NamedOperation[]): Map<string, NamedOperation[]> {
  const bySubject = new Map<string, NamedOperation[]>()
  const own = operations.filter(({ path }) => path.endsWith('}'))
  for (const { on, output, path, undoes } of [...own, ...operations]) {
    const subject = on.at(-1)?.name
    // A deleted record is in no list of those that are there, although its restore answers one of them.
    if (subject === undefined || undoes !== undefined || bySubject.has(subject)) continue
    const collection = path.replace(/\/\{\w+\}$/, '')
    const lists = operations.filter(
      each =>
        each.answers.kind === 'list' &&
        (hasAllOf(each.output.items, output) || each.path === collection) &&
        each.on.every(({ name }) => name !== subject),
    )
    if (lists.length > 0) bySubject.set(subject, lists)
  }
  return bySubject
}

const subjects = new WeakMap<Table, ReadonlyMap<string, Subject>>()
export function subjectNamed(table: Table, name: string): Subject | undefined {
  let known = subjects.get(table)
  if (!known) {
    const all = [...table.operations.values()].flatMap(({ on }) => on)
    subjects.set(table, (known = new Map(all.map(each => [each.name, each]))))
  }
  return known.get(name)
}

export interface Reference {
  /** The kind of record: the name of a subject that lists contain. */
  readonly subject: string
  /** Whether the field is a list of ids. */
  readonly isList: boolean
}

/** The records that a field refers to: `goal_ids` to goals, `uptime_check_id` to a check. Undefined if they are not records of a list. */
export function referenceOf(table: Table, field: string): Reference | undefined {
  const [, name, many] = /^(\w+)_id(s?)$/.exec(field) ?? []
  if (name === undefined) return undefined
  const words = name.split('_')
  const subject = words.map((_, i) => words.slice(i).join('_')).find(each => findersOf(table, each).length > 0)
  return subject === undefined ? undefined : { subject, isList: many === 's' }
}

/** Whether a record is the other one, or has all of its fields and more: for example a check with its availability. */
export function hasAllOf(record: TSchema, other: TSchema): boolean {
  if (record === other) return true
  const fields = Object.entries<TSchema>(other.properties ?? {})
  return other.properties?.id !== undefined && fields.every(([name, schema]) => record.properties?.[name] === schema)
}

/** The subject that is found in a list of such records. */
export function subjectListedAs(table: Table, record: TSchema): Subject | undefined {
  for (const { on } of table.operations.values())
    for (const subject of on) if (findersOf(table, subject.name).some(({ output }) => output.items === record)) return subject
  return undefined
}

/** Lists of records that take the place of a subject's: groups of sites. */
export const substitutesOf = (table: Table, subject: string): readonly NamedOperation[] =>
  [...table.operations.values()].filter(({ actAs }) => actAs?.name === subject)

/** The list of the records of a subject that needs the fewest other lists to be read first. @param named subjects whose ids are known */
export function cheapestFinder(table: Table, subject: string, named: ReadonlySet<string>): NamedOperation | undefined {
  const asked = ({ on }: NamedOperation): number =>
    on.reduce((sum, { name }) => sum + (named.has(name) ? 0 : 1 + Math.min(...findersOf(table, name).map(asked))), 0)
  return findersOf(table, subject)
    .map(finder => ({ finder, cost: asked(finder) }))
    .sort((a, b) => a.cost - b.cost || b.finder.on.length - a.finder.on.length)[0]?.finder // stable: equals stay in the order of the table
}
