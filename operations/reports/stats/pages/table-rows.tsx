/** The rows of a table, in the explorer and on dashboards. */
import type { Static } from '../../../../runtime/table/schema.ts'
import { Clipped } from '../../../../runtime/ui/clipped.tsx'
import { pointLabel, type Viewer } from '../../../../runtime/ui/format.ts'
import { Mark } from '../../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../../runtime/ui/labels.ts'
import { conditioner } from '../../../../runtime/ui/toolbar.tsx'
import { fieldWords, withQuery } from '../../../../runtime/ui/words.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { AddedUp } from '../added-up.tsx'
import { measured } from '../measured.ts'
import { m } from '../messages.ts'
import { QueryRow, type QueryTable } from '../query/records.ts'
import { MetricCell } from './metric-cell.tsx'

const TIME = 'time'
type Table = Static<typeof QueryTable>

export const dimensionWords = (name: string, viewer: Viewer): string => (name === TIME ? say(viewer, m.time) : fieldWords(name, viewer))

/** @param url of the explorer; without it, columns and values are not links */
export function TableRows({ data, url = null, viewer }: { readonly data: Table; readonly url?: URL | null; readonly viewer: Viewer }) {
  const { dimensions, rows, interval } = data
  const sort = url?.searchParams.get('sort') ?? (dimensions.includes(TIME) ? TIME : data.metrics[0])
  return (
    <table class="list values">
      <thead>
        <tr>
          {dimensions.length === 0 && <th scope="col">{say(viewer, m.total)}</th>}
          {dimensions.map(name => (
            <th scope="col" aria-sort={name === TIME && sort === TIME ? (isAscending(url, 'asc') ? 'ascending' : 'descending') : undefined}>
              {name === TIME ? (
                <SortBy name={TIME} sort={sort} first="asc" url={url}>
                  {dimensionWords(name, viewer)}
                </SortBy>
              ) : (
                dimensionWords(name, viewer)
              )}
            </th>
          ))}
          {data.metrics.map(name => (
            <th scope="col" class="number" aria-sort={name === sort ? (isAscending(url, 'desc') ? 'ascending' : 'descending') : undefined}>
              <SortBy name={name} sort={sort} first="desc" url={url}>
                {fieldWords(name, viewer)}
              </SortBy>{' '}
              <AddedUp metric={name} period={data.period} viewer={viewer} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr>
            {dimensions.length === 0 && <th scope="row">{say(viewer, m.all_visits)}</th>}
            {dimensions.map((name, i) => {
              const value = row.values[i] ?? ''
              const label = row.labels[i] ?? ''
              const content =
                name === TIME ? (
                  interval ? (
                    pointLabel(value, interval, viewer)
                  ) : (
                    value
                  )
                ) : (
                  <a class="marked" href={url ? conditioner(url, name)(value) : undefined}>
                    <Mark dimension={name} value={value} label={label} />
                    <Clipped text={labelIn(name, { value, label }, viewer)} />
                  </a>
                )
              return i === 0 ? <th scope="row">{content}</th> : <td>{content}</td>
            })}
            {data.metrics.map(name => (
              <MetricCell
                value={measured(name, row) ?? null}
                compared={row.comparison?.[name]}
                change={row.comparison?.change[name]}
                schema={QueryRow.properties[name]}
                viewer={viewer}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isAscending = (url: URL | null, first: 'asc' | 'desc'): boolean => (url?.searchParams.get('order') ?? first) === 'asc'

interface SortByProps {
  readonly name: string
  readonly sort: string | undefined
  readonly first: 'asc' | 'desc'
  readonly url: URL | null
  readonly children: unknown
}

/** Sorts by a column; a second click reverses the order. */
function SortBy({ name, sort, first, url, children }: SortByProps) {
  if (!url) return <>{children as string}</>
  const other = first === 'asc' ? 'desc' : 'asc'
  const isFirst = (url.searchParams.get('order') ?? first) === first
  const order = name === sort && isFirst ? other : undefined
  return <a href={withQuery(url, { sort: name, order, page: undefined })}>{children as string}</a>
}
