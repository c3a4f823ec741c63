/** All values of a dimension with their metrics; a click on one filters the overview by it. */
import { WorldMap } from '../charts/map.tsx'
import { inUnit, plainNumber } from '../format.ts'
import { say } from '../languages/index.ts'
import { fieldWords, withQuery } from '../words.ts'
import { Change } from './change.tsx'
import { linkTo, pageLink } from './links.ts'
import { fieldsOf, list, number, record, text } from './read.ts'
import { withCondition } from './toolbar.tsx'
import type { Seen, View } from './view.ts'

const sorted: readonly string[] = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration', 'revenue']

export const breakdown: View = {
  asks: () => ({ limit: 50 }),
  async show({ schema, data, meta, url, viewer, pathOf, takes }) {
    const rows = list(data.rows)
    const fields = fieldsOf(schema, 'rows')
    const dimension = text(data.dimension)
    const metrics = Object.keys(rows[0] ?? {}).filter(name => typeof rows[0]?.[name] === 'number')
    const most = Math.max(1, ...rows.map(row => number(row.visitors)))
    const sort = url.searchParams.get('sort') ?? 'visitors'
    const page = Number(url.searchParams.get('page') ?? 1)
    const overview = pathOf('Overview')
    const narrowed = (value: string): string => {
      const to = new URL(withCondition(url, dimension, value), url)
      for (const name of ['sort', 'order', 'limit', 'rank', 'page', 'metrics']) to.searchParams.delete(name)
      return (overview ?? to.pathname) + to.search
    }
    const details = detailsOf(dimension, { pathOf, url })
    if (rows.length === 0)
      return {
        content: (
          <div class="card empty">
            <p>{say(viewer, 'nothing_in_period')}</p>
          </div>
        ),
      }
    return {
      content: (
        <>
          <h2>{fieldWords(dimension, viewer)}</h2>
          {dimension === 'country' && (
            <section class="card" aria-label={say(viewer, 'map')}>
              <WorldMap
                label={say(viewer, 'map_says')}
                values={rows.map(row => ({
                  country: text(row.value),
                  value: number(row.visitors),
                  says: `${text(row.label)}: ${plainNumber(number(row.visitors), viewer)}`,
                }))}
              />
            </section>
          )}
          <section class="card scroll" tabindex={0} aria-label={fieldWords(dimension, viewer)}>
            <table class="list bars">
              <thead>
                <tr>
                  <th scope="col">{fieldWords(dimension, viewer)}</th>
                  {details && (
                    <th scope="col">
                      <span class="unseen">{say(viewer, 'all_about')}</span>
                    </th>
                  )}
                  {metrics.map(name => (
                    <th
                      scope="col"
                      class="number"
                      aria-sort={name === sort ? (url.searchParams.get('order') === 'asc' ? 'ascending' : 'descending') : undefined}
                    >
                      {sorted.includes(name) && takes('sort') ? (
                        <a
                          href={withQuery(url, {
                            sort: name,
                            order: name === sort && url.searchParams.get('order') !== 'asc' ? 'asc' : undefined,
                            page: undefined,
                          })}
                        >
                          {fieldWords(name, viewer)}
                        </a>
                      ) : (
                        fieldWords(name, viewer)
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(row => (
                  <tr>
                    <th scope="row">
                      <svg class="bar" aria-hidden="true" focusable="false">
                        <rect width={`${Math.round((1000 * number(row.visitors)) / most) / 10}%`} height="100%" rx="4" />
                      </svg>
                      <a href={narrowed(text(row.value))}>{text(row.label) || say(viewer, 'unnamed')}</a>
                    </th>
                    {details && (
                      <td>
                        {text(row.value) !== '' && (
                          <a href={details(text(row.value))}>
                            {say(viewer, 'about')} <span class="unseen">{text(row.label)}</span>
                          </a>
                        )}
                      </td>
                    )}
                    {metrics.map(name => (
                      <td class="number">
                        {inUnit(number(row[name]), fields[name]?.unit, viewer)}
                        {row.comparison !== undefined && (
                          <>
                            {' '}
                            <Change
                              value={record(record(row.comparison).change)[name]}
                              isCompared
                              isLessBetter={fields[name]?.better === 'less'}
                              viewer={viewer}
                            />
                          </>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <nav class="paging" aria-label={say(viewer, 'list_pages')}>
            {page > 1 && (
              <a class="button plain" rel="prev" href={withQuery(url, { page: page === 2 ? undefined : String(page - 1) })}>
                {say(viewer, 'previous')}
              </a>
            )}
            <span>{say(viewer, 'in_all', { total: plainNumber(number(meta.total), viewer) })}</span>
            {page * 50 < number(meta.total) && (
              <a class="button plain" rel="next" href={withQuery(url, { page: String(page + 1) })}>
                {say(viewer, 'next')}
              </a>
            )}
          </nav>
        </>
      ),
    }
  },
}

const pages = new Set(['page', 'entry_page', 'exit_page'])

/** Where all about one value is told, if anywhere. */
function detailsOf(dimension: string, { pathOf, url }: Pick<Seen, 'pathOf' | 'url'>): ((value: string) => string | undefined) | undefined {
  if (pages.has(dimension)) return value => pageLink({ pathOf, url }, value)
  if (dimension === 'event') return value => linkTo(pathOf('EventDetail'), url, { name: value })
  return undefined
}
