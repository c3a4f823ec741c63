/** Any list: a table, each row leading to its record, with a form of what it can be narrowed by. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { paging } from '../table/operation.ts'
import { technical } from '../table/schema.ts'
import { isObject } from '../values/json.ts'
import type { NamedOperation } from '../table/table.ts'
import { bare, Cell, isNumber } from './cell.tsx'
import { Clipped } from './clipped.tsx'
import { Icon } from './icons/icon.tsx'
import { Control } from './fields/control.tsx'
import type { FormContext } from './fields/control-props.ts'
import { plainNumber, type Viewer } from './format.ts'
import { carried } from './links.ts'
import { headingWords, withQuery } from './words.ts'
import { Form, Hidden } from './form.tsx'
import { ui } from './messages.ts'
import { declaredText } from '../texts/catalogues.ts'
import { say } from '../texts/say.ts'

export interface RowLink {
  readonly href: string
  readonly label: string
}

interface ListProps {
  readonly operation: NamedOperation
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly url: URL
  readonly viewer: Viewer
  readonly named: ReadonlyMap<string, string>
  hrefOf(row: Readonly<Record<string, unknown>>): string | undefined
  actionsOf(row: Readonly<Record<string, unknown>>): readonly RowLink[]
  /** Said where nothing is listed. */
  readonly empty: Child
}

const maxColumns = 7
/** A text without spaces that makes a table wider than the window: the record's own page has it. */
const isLong = (value: unknown): boolean => typeof value === 'string' && (/\S{60}/.test(value) || value.includes('\n'))
/** Names of records, which are shown however long they are. */
const isAlwaysTold = (name: string): boolean => ['name', 'email', 'domain', 'url'].includes(name)
/** A secret to be copied, and not to be seen by who walks past. */
const isSecret = (name: string): boolean => name === 'secret'
/** Fields that people know a record by, the clearest first. */
const naming = ['name', 'label', 'title', 'text', 'email', 'domain', 'url', 'actor', 'channel', 'filename', 'value', 'browser'] as const

/** The name that a person gave this record. */
export function nameOf(record: unknown): string | undefined {
  if (!isObject(record)) return undefined
  for (const field of naming) {
    const value = record[field]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

export function ListView({ operation, rows, url, viewer, named, hrefOf, actionsOf, empty }: ListProps) {
  if (rows.length === 0) return <div class="card empty">{empty}</div>
  const properties: Readonly<Record<string, TSchema>> = operation.output.items.properties ?? {}
  const hasPages = rows.every(row => hrefOf(row) !== undefined)
  const columns = columnsOf({ properties, rows, named, hasPages })
  const actions = rows.map(actionsOf)
  const isActing = actions.some(each => each.length > 0)
  const sorts = (operation.input.properties as Readonly<Record<string, TSchema | undefined>>).sort?.enum as readonly unknown[] | undefined
  // In a narrow window each row is a card, unless its headings sort.
  const labels = columns.map(name => headingWords(name, bare(properties[name] ?? ({} as TSchema)).schema.unit, viewer))
  return (
    <section class="card scroll" tabindex={0} aria-label={declaredText(viewer, operation.summary)}>
      <table class={columns.some(name => sorts?.includes(name)) ? 'list' : 'list stacks'}>
        <thead>
          <tr>
            {columns.map(name => (
              <SortedHeading
                operation={operation}
                name={name}
                url={url}
                viewer={viewer}
                isNumber={isNumber(properties[name] ?? ({} as TSchema))}
                unit={bare(properties[name] ?? ({} as TSchema)).schema.unit}
              />
            ))}
            {isActing && (
              <th scope="col">
                <span class="unseen">{say(viewer, ui.actions)}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => {
            const href = hrefOf(row)
            return (
              <tr>
                {columns.map((name, i) => {
                  const value = row[name]
                  const cell = (typeof value === 'string' ? named.get(value) : asNames(value, named)) || (
                    <Cell schema={properties[name] ?? ({} as TSchema)} value={value} viewer={viewer} />
                  )
                  if (i === 0)
                    return (
                      <th scope="row">
                        {href === undefined ? (
                          cell
                        ) : (
                          <a class={operation.icon && 'marked'} href={href}>
                            {operation.icon && <Icon name={operation.icon} />}
                            {plain(value) === undefined ? cell : <Clipped text={String(value).replace(/^https?:\/\//, '')} />}
                          </a>
                        )}
                      </th>
                    )
                  return (
                    <td class={isNumber(properties[name] ?? ({} as TSchema)) ? 'number' : undefined} data-label={labels[i]}>
                      {cell}
                    </td>
                  )
                })}
                {isActing && (
                  <td class="acts">
                    {actions[r]?.map(link => (
                      <a class="button plain" href={link.href}>
                        {link.label}
                      </a>
                    ))}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** Ids as the names of their records, if all of them are known. */
const asNames = (value: unknown, named: ListProps['named']): string | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(each => named.has(String(each)))
    ? value.map(each => named.get(String(each))).join(', ')
    : undefined

/** Links to the list in the order of this column, if the operation can sort by it. */
export function SortedHeading({
  operation: { input },
  name,
  url,
  viewer,
  isNumber,
  unit,
}: {
  operation: NamedOperation
  name: string
  url: URL
  viewer: Viewer
  isNumber: boolean
  /** Unit of its values, which they say themselves. */
  unit?: string | undefined
}) {
  const { sort, order } = input.properties as Readonly<Record<string, TSchema | undefined>>
  const by = url.searchParams.get('sort') ?? sort?.default
  const now = url.searchParams.get('order') ?? order?.default
  const isAscending = now === 'asc'
  const text = headingWords(name, unit, viewer)
  const canSort = ((sort?.enum ?? []) as unknown[]).includes(name)
  const next = order && by === name ? (isAscending ? 'desc' : 'asc') : undefined
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : undefined}
      aria-sort={canSort && by === name ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      {canSort ? <a href={withQuery(url, { sort: name, order: next, page: undefined })}>{text}</a> : text}
    </th>
  )
}

/** A text that is a link already makes no other link. */
const plain = (value: unknown): string | undefined => (typeof value === 'string' && /^https?:/.test(value) ? value : undefined)

interface ColumnsOf {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly named: ReadonlyMap<string, string>
  readonly hasPages: boolean
}

/** The name of a record comes first; ids and what is nested are on its own page. */
function columnsOf({ properties, rows, named, hasPages }: ColumnsOf): string[] {
  const columns = Object.keys(properties).filter(name => {
    const { schema } = bare(properties[name] ?? ({} as TSchema))
    const isShort = schema.type !== 'object' && !(schema.type === 'array' && schema.items?.type === 'object') && !schema.anyOf
    return (
      name !== 'id' &&
      name !== 'updated_at' &&
      schema[technical] !== true &&
      !(hasPages && (isSecret(name) || (!isAlwaysTold(name) && rows.some(row => isLong(row[name]))))) &&
      isShort &&
      !(/_id$/.test(name) && !(name === 'site_id' && named.size > 0)) &&
      rows.some(row => row[name] !== null && row[name] !== undefined)
    )
  })
  const first =
    naming.find(name => columns.includes(name) && rows.every(row => typeof row[name] === 'string' && row[name] !== '')) ?? columns[0]
  // A name that was made of the address says what it is already.
  const others = columns.filter(name => name !== first && !rows.every(row => first !== undefined && row[name] === row[first]))
  return first === undefined ? ['id'] : [first, ...others].slice(0, maxColumns)
}

/** Inputs for which `NarrowForm` has controls. */
export const narrowInputs = ({ input }: NamedOperation, without: readonly string[]): ReadonlySet<string> =>
  new Set(Object.keys(input.properties).filter(name => !Object.hasOwn(paging, name) && !without.includes(name)))

/** A form next to the page, whose inputs are kept in the address. */
export function NarrowForm({
  operation,
  url,
  values,
  form,
  without = [],
  isOpen = false,
  isFolded = false,
}: {
  operation: NamedOperation
  url: URL
  values: Readonly<Record<string, unknown>>
  form: FormContext
  /** Inputs that have controls elsewhere. Their values stay in the address. */
  without?: readonly string[]
  isOpen?: boolean
  /** Stays behind its heading, whatever the address says: the requested values are shown below. */
  isFolded?: boolean
}) {
  const shown = narrowInputs(operation, without)
  const inputs = Object.entries<TSchema>(operation.input.properties).filter(([name]) => shown.has(name))
  if (inputs.length === 0) return null
  const isNeeded = (name: string) => operation.input.required?.includes(name) ?? false
  inputs.sort(
    ([a, one], [b, other]) =>
      Number(isNeeded(b)) - Number(isNeeded(a)) || Number(one.type === 'boolean') - Number(other.type === 'boolean'),
  )
  const kept = [...url.searchParams].filter(([name]) => without.includes(name) || (carried.has(name) && !shown.has(name)))
  const used = inputs.filter(([name]) => url.searchParams.has(name)).length
  const isList = operation.answers.kind === 'list'
  return (
    <details class="narrow-by" open={isOpen || (used > 0 && !isFolded)}>
      <summary class="button plain">
        <Icon name={isList ? 'filter' : 'options'} />
        <span class="opt">{say(form, isList ? ui.filter : ui.options)}</span>
      </summary>
      <Form method="GET" class="card">
        <Hidden fields={kept} />
        <div class="inputs">
          {inputs.map(([name, schema]) => (
            <Control
              pointer={`/${name}`}
              name={name}
              schema={schema}
              value={values[name] ?? schema.default}
              required={(operation.input.required?.includes(name) ?? false) && schema.default === undefined}
              form={form}
            />
          ))}
        </div>
        <button type="submit">{say(form, ui.show)}</button>{' '}
        {used > 0 && <a href={withQuery(url, Object.fromEntries(inputs.map(([name]) => [name, undefined])))}>{say(form, ui.reset)}</a>}
      </Form>
    </details>
  )
}

export function Paging({ url, meta, viewer }: { url: URL; meta: Readonly<Record<string, unknown>>; viewer: Viewer }) {
  const { page, total_pages: last, total } = meta
  if (typeof page !== 'number' || typeof last !== 'number' || typeof total !== 'number' || last < 2) return null
  return (
    <nav class="paging" aria-label={say(viewer, ui.list_pages)}>
      {page > 1 && (
        <a class="button plain" rel="prev" href={withQuery(url, { page: page === 2 ? undefined : String(Math.min(page - 1, last)) })}>
          {say(viewer, ui.previous)}
        </a>
      )}
      <span>
        {say(viewer, ui.page_of, {
          page: plainNumber(page, viewer),
          last: plainNumber(last, viewer),
          total: plainNumber(total, viewer),
        })}
      </span>
      {page < last && (
        <a class="button plain" rel="next" href={withQuery(url, { page: String(page + 1) })}>
          {say(viewer, ui.next)}
        </a>
      )}
    </nav>
  )
}
