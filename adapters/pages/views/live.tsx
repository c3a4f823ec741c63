/** Who is on the site now: the last half hour by the minute, and where they are. */
import { Bars } from '../charts/bars.tsx'
import { plainNumber, pointLabel } from '../format.ts'
import { withQuery } from '../words.ts'
import { BarTable, Panel } from './bar-table.tsx'
import { linkTo } from './links.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { withCondition } from './toolbar.tsx'

export const live: View = {
  async show(seen) {
    return { content: <Live {...seen} /> }
  },
}

/** `data-refresh`: looked at again by itself, while it is in view. */
function Live(seen: Seen) {
  const { data, pathOf, url } = seen
  return (
    <div id="live" data-refresh>
      <section class="card" aria-labelledby="now">
        <Now data={data} viewer={seen.viewer} id="now" />
        <p class="help">
          Visitors of the last 5 minutes. <a href={withQuery(url, {})}>Look again</a>
        </p>
      </section>
      <div class="panels">
        <Values title="Pages" id="pages" dimension="page" rows={list(data.pages)} seen={seen} />
        <Values title="Sources" id="sources" dimension="source" rows={list(data.sources)} seen={seen} />
        <Values title="Countries" id="countries" dimension="country" rows={list(data.countries)} seen={seen} />
        <Panel title="Today" id="today">
          <p>
            <a href={linkTo(pathOf('Overview'), url, { period: 'today' })}>What happened today so far</a>
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
        {plainNumber(visitors, viewer)} {visitors === 1 ? 'visitor' : 'visitors'} now
      </h2>
      <Bars
        label="Pageviews in each of the last 30 minutes"
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
        label={title}
        columns={['Visitors']}
        rows={rows.map(row => ({
          label: text(row.label),
          href: hrefOf(text(row.value)),
          weight: number(row.visitors),
          cells: [plainNumber(number(row.visitors), viewer)],
        }))}
        none="Nobody is there now."
      />
    </Panel>
  )
}
