/** The explorer: a person chooses dimensions and metrics, and sorts, downloads or keeps the table. */
import type { Static } from '../../../../runtime/table/schema.ts'
import { commonDimensions } from '../../../../runtime/ui/conditions.ts'
import { Field, Form } from '../../../../runtime/ui/form.tsx'
import { ui } from '../../../../runtime/ui/messages.ts'
import { Kept } from '../../../../runtime/ui/periods.tsx'
import { Nothing } from '../../../../runtime/ui/share.tsx'
import { view } from '../../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { fieldWords } from '../../../../runtime/ui/words.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { derivedDimensions } from '../../../../storage/engine/vocabulary/derived.ts'
import { type MetricName, metrics } from '../../../../storage/engine/vocabulary/metrics.ts'
import { nothingIn, ReportNotes } from '../components.tsx'
import { m } from '../messages.ts'
import { metricsOfTable } from '../query/input.ts'
import { QueryTable } from '../query/records.ts'
import { RowsMeta, tableKeeper } from '../records.ts'
import { Pages, ROWS_ON_PAGE } from './paging.tsx'
import { dimensionWords, TableRows } from './table-rows.tsx'

const TIME = 'time'
const allMetrics = Object.keys(metrics) as MetricName[] // the object's own keys
const start = { dimensions: ['source', 'device'], metrics: ['visitors', 'visits', 'bounce_rate', 'visit_duration'] }

/** An address without metrics shows an example; without dimensions but with metrics, one row of totals. */
const asks = (query: URLSearchParams) => ({
  limit: ROWS_ON_PAGE,
  include_imported: true, // so that the page says which days are left out
  metrics: start.metrics,
  ...(!query.has('metrics') && { dimensions: start.dimensions }),
})

/** The form says so. */
const CHOSEN = 'chosen'
/** A metric that the chosen dimensions lack was ticked for other dimensions, and is left out. */
function mends({ pathname, searchParams }: URL): string | undefined {
  if (!searchParams.has(CHOSEN)) return undefined
  const query = new URLSearchParams(searchParams)
  const dimensions = query.getAll('dimensions').filter(name => name !== '')
  const possible = metricsOfTable(dimensions, [])
  const isConverting = (query.get('filters') ?? '').includes('"goal"')
  const kept = query.getAll('metrics').filter(name => possible.includes(name) || (isConverting && name === 'conversion_rate'))
  for (const name of [CHOSEN, 'dimensions', 'metrics']) query.delete(name)
  for (const name of dimensions) query.append('dimensions', name)
  for (const name of kept.length > 0 ? kept : ['visitors']) query.append('metrics', name)
  return `${pathname}?${query}`
}

type Table = Static<typeof QueryTable>

export const query = view(
  QueryTable,
  async ({ data, meta, page }) => {
    const { url, viewer } = page
    return (
      <>
        <Chooser data={data} page={page} />
        {data.rows.length === 0 ? (
          <Nothing>{nothingIn(url, viewer)}</Nothing>
        ) : (
          <section class="card scroll" tabindex={0} aria-label={say(viewer, m.table)}>
            <TableRows data={data} url={url} viewer={viewer} />
          </section>
        )}
        <ReportNotes notes={meta.notes} page={page} />
        <Pages total={meta.total} url={url} viewer={viewer} />
        {await page.fill(tableKeeper, { dimensions: data.dimensions, metrics: data.metrics })}
      </>
    )
  },
  { meta: RowsMeta, asks, mends, own: [CHOSEN] },
)

/** Chooses the columns of the table: up to three dimensions, and metrics. */
function Chooser({ data, page: { url, viewer, may } }: { readonly data: Table; readonly page: ViewedPage }) {
  const known = [TIME, ...commonDimensions.filter(may), ...Object.keys(derivedDimensions).filter(may)]
  const options = [...new Set([...known, ...data.dimensions])].map(name => [name, dimensionWords(name, viewer)] as const)
  // A metric that these dimensions lack would be refused.
  const possible = metricsOfTable(data.dimensions, [])
  const shown = allMetrics.filter(name => possible.includes(name) || data.metrics.includes(name))
  const labels = [m.by_first, m.by_second, m.by_third]
  return (
    <Form method="GET" class="card explore">
      <input type="hidden" name={CHOSEN} value="1" />
      <Kept url={url} without={[CHOSEN, 'dimensions', 'metrics', 'sort', 'order', 'page', 'rank']} />
      <div class="explore-by">
        {labels.map((label, i) => (
          <Field
            id={`dimension-${i}`}
            name="dimensions"
            label={say(viewer, label)}
            value={data.dimensions[i] ?? ''}
            options={options}
            blank={say(viewer, m.no_dimension)}
            required={false}
            refused={undefined}
          />
        ))}
      </div>
      <fieldset class="explore-metrics">
        <legend>{say(viewer, m.metrics)}</legend>
        {shown.map(name => (
          <label>
            <input type="checkbox" name="metrics" value={name} checked={data.metrics.includes(name)} /> {fieldWords(name, viewer)}
          </label>
        ))}
      </fieldset>
      <button type="submit">{say(viewer, ui.show)}</button>
    </Form>
  )
}
