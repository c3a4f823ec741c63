/** Any record: its fields, what is nested in it, and lists in it as tables. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { technical } from '../table/schema.ts'
import { isObject } from '../values/json.ts'
import { bare, Cell, isNumber } from './cell.tsx'
import { LineChart } from './charts/line.tsx'
import { inUnit, shortInUnit, pointLabel, type Viewer } from './format.ts'
import { fieldWords, headingWords } from './words.ts'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

/** Rows of a nested list that are shown; reports have at most a few hundred. */
const maxRows = 500

const isRecords = (value: unknown): value is Record<string, unknown>[] => Array.isArray(value) && value.length > 0 && value.every(isObject)

interface RecordProps {
  readonly schema: TSchema
  readonly data: Readonly<Record<string, unknown>>
  readonly viewer: Viewer
  /** Known names of records, by id. They replace the ids. */
  readonly named?: ReadonlyMap<string, Child>
  /** Fields that are shown elsewhere on the page. */
  readonly without?: ReadonlySet<string>
}

export function RecordView({ schema, data, viewer, named, without }: RecordProps) {
  const fields = fieldsOf(schema, data)
    .filter(([name]) => !without?.has(name))
    .toSorted(([a], [b]) => Number(a === 'id') - Number(b === 'id')) // last
  const isNested = (value: unknown) => isRecords(value) || isObject(value)
  const empty = fields.filter(([, , value]) => isEmpty(value))
  const flat = fields.filter(([, , value]) => !isEmpty(value) && !isNested(value))
  const simple = flat.filter(([name, property]) => !isTechnical(name, property))
  const folded = flat.filter(([name, property]) => isTechnical(name, property))
  const nested = fields.filter(([, , value]) => !isEmpty(value) && isNested(value))
  return (
    <>
      <Fields of={simple} viewer={viewer} named={named} />
      {nested.map(([name, property, value]) => (
        <div class="nested">
          {name !== 'rows' && <h2>{fieldWords(name, viewer)}</h2>}
          {isRecords(value) ? (
            <Series schema={bare(property).schema.items ?? {}} rows={value} viewer={viewer} label={fieldWords(name, viewer)} />
          ) : isObject(value) ? (
            <RecordView schema={bare(property).schema} data={value} viewer={viewer} />
          ) : null}
        </div>
      ))}
      {(folded.length > 0 || empty.length > 0) && (
        <details class="more-of">
          <summary>{say(viewer, ui.details)}</summary>
          <Fields of={folded} viewer={viewer} named={named} />
          {empty.length > 0 && (
            <p class="help unset">
              {say(viewer, ui.not_set, { fields: empty.map(([name, { unit }]) => headingWords(name, unit, viewer)).join(', ') })}
            </p>
          )}
        </details>
      )}
    </>
  )
}

/** Fields that people seldom need. */
const isTechnical = (name: string, property: TSchema): boolean => name === 'id' || name === 'updated_at' || property[technical] === true

interface FieldsProps extends Pick<RecordProps, 'viewer' | 'named'> {
  readonly of: readonly (readonly [name: string, schema: TSchema, value: unknown])[]
}

function Fields({ of, viewer, named }: FieldsProps) {
  if (of.length === 0) return null
  return (
    <dl>
      {of.map(([name, property, value]) => (
        <>
          <dt>{headingWords(name, bare(property).schema.unit, viewer)}</dt>
          <dd>
            {name === 'secret' ? (
              <FoldedSecret text={String(value)} viewer={viewer} />
            ) : (
              (asNamed(value, named) ?? <Cell schema={property} value={value} viewer={viewer} />)
            )}
          </dd>
        </>
      ))}
    </dl>
  )
}

/** A secret to copy, hidden from other people until it is opened. */
const FoldedSecret = ({ text, viewer }: { text: string; viewer: Viewer }) => (
  <details class="secret-of">
    <summary>{say(viewer, ui.show)}</summary>
    <code class="secret">{text}</code>
  </details>
)

/** Empty fields share one line: a row for each would hide the filled ones. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0)

/** The name of the record that an id belongs to, or the names for a list of ids; undefined if one of them is unknown. */
function asNamed(value: unknown, named: RecordProps['named']): Child | undefined {
  if (typeof value === 'string') return named?.get(value)
  if (!Array.isArray(value) || value.length === 0 || !value.every(each => named?.has(String(each)))) return undefined
  return (
    <ul class="inline">
      {value.map(each => (
        <li>{named?.get(String(each))}</li>
      ))}
    </ul>
  )
}

/** Most columns that fit next to each other in a narrow window. */
const maxNarrowColumns = 3

/** Fewest days that are drawn as a chart; a table shows fewer days just as well. */
const minChartDays = 7

/** A table of records. If they are days with figures, a chart of the first figure contains the table. */
function Series(props: RowsProps) {
  const { schema, rows, viewer } = props
  const properties = Object.entries<TSchema>(bare(schema).schema.properties ?? {})
  const [date] = properties.find(([, property]) => property.format === 'date') ?? []
  const [figure, figureSchema] = properties.find(([, property]) => isNumber(property)) ?? []
  const isSeries = date !== undefined && figure !== undefined && figureSchema && rows.length >= minChartDays
  if (!isSeries || !rows.some(row => typeof row[figure] === 'number')) return <Rows {...props} />
  const { unit } = bare(figureSchema).schema
  return (
    <LineChart
      reader={viewer}
      title={headingWords(figure, unit, viewer)}
      points={rows.map(row => ({
        label: pointLabel(`${String(row[date])}T00:00:00Z`, 'day', viewer),
        value: typeof row[figure] === 'number' ? row[figure] : null,
      }))}
      isCompared={false}
      format={value => inUnit(value, unit, viewer)}
      short={value => shortInUnit(value, unit, viewer)}
      figures={<Rows {...props} />}
    />
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

interface RowsProps {
  readonly schema: TSchema
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly viewer: Viewer
  readonly label: string
}

/** A table of records, with the columns that any of them has. */
export function Rows({ schema, rows, viewer, label }: RowsProps) {
  const properties: Readonly<Record<string, TSchema>> = bare(schema).schema.properties ?? {}
  const schemaOf = (name: string): TSchema => properties[name] ?? ({} as TSchema)
  // Values that are their own labels need one column.
  const hasOnlyLabels = rows.every(row => row.label !== undefined && (row.value ?? row.key) === row.label)
  const names = new Set([...Object.keys(properties), ...rows.slice(0, maxRows).flatMap(Object.keys)])
  const columns = [...names].filter(name => {
    const repeatsLabel = hasOnlyLabels && (name === 'value' || name === 'key')
    return !repeatsLabel && rows.some(row => row[name] !== undefined && row[name] !== null)
  })
  const labels = columns.map(name => headingWords(name, bare(schemaOf(name)).schema.unit, viewer))
  return (
    <section class="scroll" tabindex={0} aria-label={label}>
      <table class={columns.length > maxNarrowColumns ? 'stacks' : undefined}>
        <thead>
          <tr>
            {columns.map((name, i) => (
              <th scope="col" class={isNumber(schemaOf(name)) ? 'number' : undefined}>
                {labels[i]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map(row => (
            <tr>
              {columns.map((name, i) => (
                <td data-label={labels[i]} class={isNumber(schemaOf(name)) ? 'number' : undefined}>
                  <Cell schema={schemaOf(name)} value={row[name]} viewer={viewer} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
