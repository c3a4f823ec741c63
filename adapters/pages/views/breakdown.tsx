/** All values of a dimension with their metrics; a click on one filters the overview by it. */
import { WorldMap } from '../../../runtime/ui/charts/map.tsx'
import { inUnit, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { pageLink } from './page-link.ts'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { fieldsOf, list, number, record, text } from './read.ts'
import { panelWords } from './overview.tsx'
import { Kept } from '../../../runtime/ui/periods.tsx'
import { conditioner, conditionParts } from '../../../runtime/ui/toolbar.tsx'
import type { Seen, View } from './view.ts'
import { Bar, Nothing } from '../../../runtime/ui/share.tsx'

const sorted: readonly string[] = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration', 'revenue']

/** Columns that pages have only where something was sold: sales belong to events, so most pages have noughts there. */
const ofSales: ReadonlySet<string> = new Set(['revenue', 'purchases', 'average_order'])

export const breakdown: View = {
  asks: () => ({ limit: 50 }),
  async show({ schema, data, meta, url, viewer, pathOf, takes }) {
    const rows = list(data.rows)
    const fields = fieldsOf(schema, 'rows')
    const dimension = text(data.dimension)
    const most = Math.max(1, ...rows.map(row => number(row.visitors)))
    const sort = url.searchParams.get('sort') ?? 'visitors'
    const isSaid = (name: string) =>
      name === sort || !(pages.has(dimension) && ofSales.has(name)) || rows.some(row => number(row[name]) !== 0)
    const metrics = Object.keys(rows[0] ?? {})
      .filter(name => typeof rows[0]?.[name] === 'number' && isSaid(name))
      .toSorted((a, b) => Number(b === sort) - Number(a === sort)) // what was asked for is seen in a narrow window as well
    const page = Number(url.searchParams.get('page') ?? 1)
    const overview = pathOf('Overview')
    const to = new URL(overview ?? url.pathname, url)
    to.search = url.search
    for (const name of ['sort', 'order', 'limit', 'rank', 'page', 'metrics']) to.searchParams.delete(name)
    const narrowed = conditioner(to, dimension)
    const details = detailsOf(dimension, { pathOf, url })
    const title = panelWords(dimension, viewer) ?? fieldWords(dimension, viewer)
    if (rows.length === 0)
      return {
        title,
        content: <Nothing>{say(viewer, 'nothing_in_period')}</Nothing>,
      }
    return {
      title,
      content: (
        <>
          <FindIn dimension={dimension} url={url} viewer={viewer} />
          {dimension === 'country' && (
            <section class="card" aria-label={say(viewer, 'map')}>
              <WorldMap
                label={say(viewer, 'map_says')}
                values={rows.map(row => ({
                  country: text(row.value),
                  value: number(row.visitors),
                  says: `${labelIn(dimension, row, viewer)}: ${plainNumber(number(row.visitors), viewer)}`,
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
                      <Bar value={number(row.visitors)} most={most} />
                      <a href={narrowed(text(row.value))}>{labelIn(dimension, row, viewer)}</a>
                    </th>
                    {details && (
                      <td>
                        {text(row.value) !== '' && (
                          <a href={details(text(row.value))}>
                            {say(viewer, 'about')} <span class="unseen">{labelIn(dimension, row, viewer)}</span>
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

/** A text that the names of the rows contain: a condition like any other, which comes off as a chip. */
function FindIn({ dimension, url, viewer }: { dimension: string; url: URL; viewer: Viewer }) {
  return (
    <search>
      <form method="get" class="find-form">
        <Kept url={url} without={['page', ...conditionParts]} />
        <input type="hidden" name="where" value={dimension} />
        <input type="hidden" name="how" value="contains" />
        <input
          type="search"
          name="what"
          required
          maxlength={1000}
          autocomplete="off"
          aria-label={say(viewer, 'find_in')}
          placeholder={say(viewer, 'find_in')}
        />
        <button type="submit" class="plain">
          {say(viewer, 'search')}
        </button>
      </form>
    </search>
  )
}

const pages = new Set(['page', 'entry_page', 'exit_page'])

/** Address of the page about one value, if there is one. */
function detailsOf(dimension: string, { pathOf, url }: Pick<Seen, 'pathOf' | 'url'>): ((value: string) => string | undefined) | undefined {
  if (pages.has(dimension)) return value => pageLink({ pathOf, url }, value)
  if (dimension === 'event') return value => linkTo(pathOf('EventDetail'), url, { name: value })
  return undefined
}
