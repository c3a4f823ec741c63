/** Who is on the site now: the last half hour by the minute, and where they are. */
import { isSaidAsOne } from '../../../runtime/texts/plural.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { Bars } from '../../../runtime/ui/charts/bars.tsx'
import { plainNumber, pointLabel } from '../../../runtime/ui/format.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { withCondition } from '../../../runtime/ui/toolbar.tsx'

export const live: View = {
  async show(seen) {
    return { content: <Live {...seen} /> }
  },
}

/** `data-refresh`: looked at again by itself, while it is in view. */
function Live(seen: Seen) {
  const { data, pathOf, url, viewer } = seen
  return (
    <div id="live" data-refresh="10">
      <section class="card" aria-labelledby="now">
        <Now data={data} viewer={seen.viewer} id="now" />
        <p class="help">
          {say(viewer, 'last_5_minutes')} <a href={withQuery(url, {})}>{say(viewer, 'look_again')}</a>
        </p>
      </section>
      <div class="panels">
        <Values title={say(viewer, 'pages_shown')} id="pages" dimension="page" rows={list(data.pages)} seen={seen} />
        <Values title={say(viewer, 'sources')} id="sources" dimension="source" rows={list(data.sources)} seen={seen} />
        <Values title={say(viewer, 'countries')} id="countries" dimension="country" rows={list(data.countries)} seen={seen} />
        <Panel title={say(viewer, 'period_today')} id="today">
          <p>
            <a href={linkTo(pathOf('Overview'), url, { period: 'today' })}>{say(viewer, 'today_so_far')}</a>
          </p>
        </Panel>
      </div>
    </div>
  )
}

export function Now({ data, viewer, id }: { data: Row; viewer: Seen['viewer']; id: string }) {
  const visitors = number(record(data.metrics).visitors)
  return (
    <>
      <h2 id={id} class="big">
        <span class="pulse" aria-hidden="true" />
        {say(viewer, isSaidAsOne(visitors, viewer.locale) ? 'visitor_now' : 'visitors_now', { count: plainNumber(visitors, viewer) })}
      </h2>
      <Bars
        viewer={viewer}
        label={say(viewer, 'by_minute')}
        bars={list(data.series).map(point => ({
          label: pointLabel(text(point.at), 'minute', viewer),
          value: number(point.pageviews),
          isPartial: point.partial === true,
        }))}
        format={value => plainNumber(value, viewer)}
      />
    </>
  )
}

interface ValuesProps {
  readonly title: string
  readonly id: string
  readonly dimension: string
  readonly rows: readonly Row[]
  readonly seen: Pick<Seen, 'viewer' | 'pathOf' | 'url'>
}

/** A click leads to the visits of today with this value. */
function Values({ title, id, dimension, rows, seen: { viewer, pathOf, url } }: ValuesProps) {
  const overview = pathOf('Overview')
  const hrefOf = (value: string): string | undefined =>
    overview === undefined ? undefined : withCondition(new URL(`${overview}?period=today`, url), dimension, value)
  return (
    <Panel title={title} id={id}>
      <BarTable
        viewer={viewer}
        label={title}
        columns={[say(viewer, 'visitors')]}
        rows={rows.map(row => ({
          label: labelIn(dimension, row, viewer),
          href: hrefOf(text(row.value)),
          weight: number(row.visitors),
          cells: [plainNumber(number(row.visitors), viewer)],
        }))}
        none={say(viewer, 'nobody_now')}
      />
    </Panel>
  )
}
