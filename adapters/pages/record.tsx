/** Any record: its fields, what is nested in it, and lists in it as tables. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { isObject } from '../../runtime/json.ts'
import { bare, Cell, isNumber } from './cell.tsx'
import type { Viewer } from './format.ts'
import { fieldWords } from './words.ts'

/** Rows of a nested list that are shown; reports have at most a few hundred. */
const mostRows = 500

const isRecords = (value: unknown): value is Record<string, unknown>[] => Array.isArray(value) && value.length > 0 && value.every(isObject)

interface RecordProps {
  readonly schema: TSchema
  readonly data: Readonly<Record<string, unknown>>
  readonly viewer: Viewer
  /** Ids as what they name, where that is known. */
  readonly named?: ReadonlyMap<string, Child>
  /** Fields that are told elsewhere on the page. */
  readonly without?: ReadonlySet<string>
}

export function RecordView({ schema, data, viewer, named, without }: RecordProps) {
  const fields = fieldsOf(schema, data).filter(([name]) => !without?.has(name))
  const simple = fields.filter(([, , value]) => !isRecords(value) && !isObject(value))
  const nested = fields.filter(([, , value]) => isRecords(value) || isObject(value))
  return (
    <>
      {simple.length > 0 && (
        <dl>
          {simple.map(([name, property, value]) => (
            <>
              <dt>{fieldWords(name, viewer)}</dt>
              <dd>{(typeof value === 'string' && named?.get(value)) || <Cell schema={property} value={value} viewer={viewer} />}</dd>
            </>
          ))}
        </dl>
      )}
      {nested.map(([name, property, value]) => (
        <section class="nested" aria-label={fieldWords(name, viewer)}>
          <h3>{fieldWords(name, viewer)}</h3>
          {isRecords(value) ? (
            <Rows schema={bare(property).schema.items ?? {}} rows={value} viewer={viewer} label={fieldWords(name, viewer)} />
          ) : isObject(value) ? (
            <RecordView schema={bare(property).schema} data={value} viewer={viewer} />
          ) : null}
        </section>
      ))}
    </>
  )
}

/** Fields that the schema names first, in its order; then any others. */
function fieldsOf(schema: TSchema, data: Readonly<Record<string, unknown>>): [name: string, schema: TSchema, value: unknown][] {
  const properties: Readonly<Record<string, TSchema>> = schema.properties ?? {}
  const names = [...Object.keys(properties), ...Object.keys(data).filter(name => !Object.hasOwn(properties, name))]
  return names
    .filter(name => Object.hasOwn(data, name) && data[name] !== undefined)
    .map(name => [name, properties[name] ?? ({} as TSchema), data[name]])
}

/** A table of records, with the columns that any of them has. */
export function Rows({
  schema,
  rows,
  viewer,
  label,
}: {
  schema: TSchema
  rows: readonly Readonly<Record<string, unknown>>[]
  viewer: Viewer
  label: string
}) {
  const properties: Readonly<Record<string, TSchema>> = bare(schema).schema.properties ?? {}
  const isSaidTwice = rows.every(({ value, label }) => value === label)
  const columns = [...new Set([...Object.keys(properties), ...rows.slice(0, mostRows).flatMap(Object.keys)])].filter(
    name => !(name === 'value' && isSaidTwice) && rows.some(row => row[name] !== undefined && row[name] !== null),
  )
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(name => (
              <th scope="col" class={isNumber(properties[name] ?? ({} as TSchema)) ? 'number' : undefined}>
                {fieldWords(name, viewer)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map(row => (
            <tr>
              {columns.map(name => (
                <td class={isNumber(properties[name] ?? ({} as TSchema)) ? 'number' : undefined}>
                  <Cell schema={properties[name] ?? ({} as TSchema)} value={row[name]} viewer={viewer} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
