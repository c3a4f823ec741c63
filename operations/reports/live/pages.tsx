import type { Static } from '../../../runtime/table/schema.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { plainNumber } from '../../../runtime/ui/format.ts'
import { WorldMap } from '../../../runtime/ui/charts/map.tsx'
import { Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { fill } from '../../../runtime/ui/slot.ts'
import { withCondition } from '../../../runtime/ui/toolbar.tsx'
import { view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { Overview } from '../stats/index.ts'
import { livePath } from '../stats/records.ts'
import { Now } from './components.tsx'
import { Live } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export const pathOfLive = fill(livePath, ({ page }) => page.pathOf(Live))

/** Current visitors: the last half hour by the minute, and where they are. With `data-refresh`, the page loads them again while it is in view. */
export const live = view(Live, ({ data, page }) => {
  const { url, viewer } = page
  return (
    <div id="live" data-refresh="10">
      <section class="card" aria-labelledby="now">
        <Now data={data} viewer={viewer} id="now" />
        <p class="help">
          {say(viewer, m.last_5_minutes)} <a href={withQuery(url, {})}>{say(viewer, m.look_again)}</a>
        </p>
      </section>
      {data.countries.length > 0 && (
        <section class="card live-map" aria-label={say(viewer, m.countries)}>
          <WorldMap
            label={say(viewer, m.countries)}
            values={data.countries.map(row => ({
              country: row.value,
              value: row.visitors,
              says: `${labelIn('country', row, viewer)}: ${plainNumber(row.visitors, viewer)}`,
            }))}
          />
        </section>
      )}
      <div class="panels">
        <Values title={say(viewer, ui.pages_shown)} id="pages" dimension="page" rows={data.pages} page={page} />
        <Values title={say(viewer, ui.sources)} id="sources" dimension="source" rows={data.sources} page={page} />
        <Values title={say(viewer, m.countries)} id="countries" dimension="country" rows={data.countries} page={page} />
        <Panel title={say(viewer, m.period_today)} id="today">
          <p>
            <a href={linkTo(page.pathOf(Overview), url, { period: 'today' })}>{say(viewer, m.today_so_far)}</a>
          </p>
        </Panel>
      </div>
    </div>
  )
})

interface ValuesProps {
  readonly title: string
  readonly id: string
  readonly dimension: string
  readonly rows: Static<typeof Live>['pages']
  readonly page: ViewedPage
}

/** A click leads to the visits of today with this value. */
function Values({ title, id, dimension, rows, page: { viewer, pathOf, url } }: ValuesProps) {
  const overview = pathOf(Overview)
  return (
    <Panel title={title} id={id}>
      <BarTable
        viewer={viewer}
        label={title}
        columns={[say(viewer, ui.visitors)]}
        rows={rows.map(row => ({
          label: labelIn(dimension, row, viewer),
          mark: <Mark dimension={dimension} value={row.value} label={row.label} />,
          href: overview && withCondition(new URL(`${overview}?period=today`, url), { dimension, value: row.value }),
          weight: row.visitors,
          cells: [plainNumber(row.visitors, viewer)],
        }))}
        none={say(viewer, m.nobody_now)}
      />
    </Panel>
  )
}
