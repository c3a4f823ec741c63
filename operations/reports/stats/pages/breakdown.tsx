import { Clipped } from '../../../../runtime/ui/clipped.tsx'
import { WorldMap } from '../../../../runtime/ui/charts/map.tsx'
import type { Static } from '../../../../runtime/table/schema.ts'
import { plainNumber, type Viewer } from '../../../../runtime/ui/format.ts'
import { Icon, Mark } from '../../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../../runtime/ui/labels.ts'
import { linkTo } from '../../../../runtime/ui/links.ts'
import { Kept } from '../../../../runtime/ui/periods.tsx'
import { Bar, type LikeProps, Nothing } from '../../../../runtime/ui/share.tsx'
import { conditioner, conditionParts } from '../../../../runtime/ui/toolbar.tsx'
import { view } from '../../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { fieldWords, withQuery } from '../../../../runtime/ui/words.ts'
import { type MetricName, ofMoney, ofRows, ofSomeRows } from '../../../../storage/engine/vocabulary/metrics.ts'
import { SORTS } from '../../../../storage/engine/vocabulary/scope.ts'
import { stats_overview } from '../operations.ts'
import { Breakdown, BreakdownRow, eventPath, pagePath, RowsMeta } from '../records.ts'
import { AddedUp, nothingIn, ReportNotes } from '../components.tsx'
import { measured } from '../measured.ts'
import { MetricCell } from './metric-cell.tsx'
import { Pages, ROWS_ON_PAGE } from './paging.tsx'
import { panelWords } from './panels.ts'
import { weigher } from './weight.ts'
import { Form, Hidden } from '../../../../runtime/ui/form.tsx'
import { ui } from '../../../../runtime/ui/messages.ts'
import { m } from '../messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

type Metric = (typeof ofRows)[number] | (typeof ofSomeRows)[number]
const sortable: readonly Metric[] = SORTS
/** Columns that pages have only if something was sold on several: sales belong to events, so most pages have zeros there. */
const ofSales: ReadonlySet<MetricName> = new Set(ofMoney)
const pages = new Set(['page', 'entry_page', 'exit_page'])
const hasSales = (rows: Static<typeof Breakdown>['rows'], name: Metric): boolean => 10 * rows.filter(row => row[name]).length > rows.length

/** Rows as they may look, of the reports in the navigation. */
const likes: Readonly<Record<string, LikeProps>> = {
  source: {
    icon: 'source',
    rows: [
      ['Google', '417'],
      ['Direct / None', '276'],
      ['ChatGPT', '76'],
    ],
  },
  page: {
    icon: 'page',
    rows: [
      ['/', '307'],
      ['/pricing', '128'],
      ['/blog/first-frost', '86'],
    ],
  },
  country: {
    icon: 'globe',
    rows: [
      ['DE', '456'],
      ['US', '212'],
      ['BR', '94'],
    ],
  },
}

/** All values of a dimension with their metrics; a click on one filters the overview by it. */
export const breakdown = view(
  Breakdown,
  async ({ data: { dimension, rows, period }, meta, page }) => {
    const { url, viewer } = page
    const title = panelWords(dimension, viewer) ?? fieldWords(dimension, viewer)
    const imported = <ReportNotes notes={meta.notes} page={page} />
    if (rows.length === 0) {
      const content = (
        <>
          <Nothing like={likes[dimension]}>{nothingIn(url, viewer)}</Nothing>
          {imported}
        </>
      )
      return { title, content }
    }
    const weight = weigher(rows)
    const max = Math.max(1, ...rows.map(weight))
    const sort = url.searchParams.get('sort') ?? 'visitors'
    const isShown = (name: Metric) =>
      name === sort || !ofSales.has(name) || (pages.has(dimension) ? hasSales(rows, name) : rows.some(row => row[name] !== null))
    const metrics = [...ofRows, ...ofSomeRows]
      .filter(name => rows[0]?.[name] !== undefined && isShown(name))
      .toSorted((a, b) => Number(b === sort) - Number(a === sort)) // the column asked for is seen in a narrow window as well
    const narrowed = conditioner(overviewOf(page), dimension)
    const details = await detailsOf(dimension, page)
    const content = (
      <>
        <div class="between">
          <FindIn dimension={dimension} url={url} viewer={viewer} />
          {dimension === 'page' && <Brought hasRevenue={rows[0]?.revenue !== undefined} page={page} />}
        </div>
        {dimension === 'country' && (
          <section class="card" aria-label={say(viewer, m.map)}>
            <WorldMap
              label={say(viewer, m.map_says)}
              values={rows.map(row => ({
                country: row.value,
                value: weight(row),
                says: `${labelIn(dimension, row, viewer)}: ${plainNumber(weight(row), viewer)}`,
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
                  <th scope="col" class="look">
                    <span class="unseen">{say(viewer, m.all_about)}</span>
                  </th>
                )}
                {metrics.map(name => (
                  <Heading name={name} sort={sort} period={period} page={page} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr>
                  <th scope="row">
                    <Bar value={weight(row)} max={max} />
                    <a class="marked" href={narrowed(row.value)}>
                      <Mark dimension={dimension} value={row.value} label={row.label} />
                      <Clipped text={labelIn(dimension, row, viewer)} />
                    </a>
                  </th>
                  {details && (
                    <td class="look">
                      {row.value !== '' && (
                        <a href={details(row.value)} title={say(viewer, m.all_about)}>
                          <Icon name="view" />
                          <span class="unseen">
                            {say(viewer, m.about)} {labelIn(dimension, row, viewer)}
                          </span>
                        </a>
                      )}
                    </td>
                  )}
                  {metrics.map(name => (
                    <MetricCell
                      value={measured(name, row) ?? null}
                      compared={row.comparison?.[name]}
                      change={row.comparison?.change[name]}
                      schema={BreakdownRow.properties[name]}
                      viewer={viewer}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        {imported}
        <Pages total={meta.total} url={url} viewer={viewer} />
      </>
    )
    return { title, content }
  },
  { meta: RowsMeta, asks: () => ({ limit: ROWS_ON_PAGE, include_imported: true }) },
)

/** The overview with the same period and filters. */
function overviewOf({ url, pathOf }: ViewedPage): URL {
  const to = new URL(pathOf(stats_overview) ?? url.pathname, url)
  to.search = url.search
  for (const name of ['sort', 'order', 'limit', 'rank', 'page', 'metrics']) to.searchParams.delete(name)
  return to
}

interface HeadingProps {
  readonly name: Metric
  readonly sort: string
  readonly period: Static<typeof Breakdown>['period']
  readonly page: ViewedPage
}

function Heading({ name, sort, period, page: { url, viewer, takes } }: HeadingProps) {
  const isAscending = url.searchParams.get('order') === 'asc'
  const order = name === sort && !isAscending ? 'asc' : undefined
  return (
    <th scope="col" class="number" aria-sort={name === sort ? (isAscending ? 'ascending' : 'descending') : undefined}>
      {sortable.includes(name) && takes('sort') ? (
        <a href={withQuery(url, { sort: name, order, page: undefined })}>{fieldWords(name, viewer)}</a>
      ) : (
        fieldWords(name, viewer)
      )}{' '}
      <AddedUp metric={name} period={period} viewer={viewer} />
    </th>
  )
}

/** Sorts by revenue or conversions of the visits that viewed a page, which are counted only on request. */
function Brought({ hasRevenue, page }: { hasRevenue: boolean; page: ViewedPage }) {
  const { url, viewer } = page
  if (!page.takes('sort')) return null
  const by = (sort: 'visit_revenue' | 'conversions') => withQuery(url, { sort, order: undefined, page: undefined, rank: undefined })
  return (
    <nav aria-label={say(viewer, m.what_visits_brought)}>
      {page.may('goal') && (
        <a class="button plain" href={by('conversions')}>
          {say(viewer, m.pages_by_conversions)}
        </a>
      )}{' '}
      {hasRevenue && (
        <a class="button plain" href={by('visit_revenue')}>
          {say(viewer, m.pages_by_revenue)}
        </a>
      )}
    </nav>
  )
}

/** Searches the names of the rows: a condition like any other, which can be removed as a chip. */
function FindIn({ dimension, url, viewer }: { dimension: string; url: URL; viewer: Viewer }) {
  return (
    <search>
      <Form method="GET" class="find-form">
        <Kept url={url} without={['page', ...conditionParts]} />
        <Hidden
          fields={[
            ['where', dimension],
            ['how', 'contains'],
          ]}
        />
        <input
          type="search"
          name="what"
          required
          maxlength={1000}
          autocomplete="off"
          aria-label={say(viewer, m.find_in)}
          placeholder={say(viewer, m.find_in)}
        />
        <button type="submit" class="plain">
          <Icon name="find" />
          <span class="unseen">{say(viewer, ui.search)}</span>
        </button>
      </Form>
    </search>
  )
}

/** Addresses of the pages about single values, for dimensions that have such pages. */
async function detailsOf(dimension: string, page: ViewedPage): Promise<((value: string) => string | undefined) | undefined> {
  if (pages.has(dimension)) {
    const path = await page.fill(pagePath, {})
    return value => linkTo(path, page.url, { path: value })
  }
  if (dimension !== 'event') return undefined
  const path = await page.fill(eventPath, {})
  return value => linkTo(path, page.url, { name: value })
}
