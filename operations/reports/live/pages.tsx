import type { Static } from '../../../runtime/table/schema.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { plainNumber, timeOfDay } from '../../../runtime/ui/format.ts'
import { WorldMap } from '../../../runtime/ui/charts/map.tsx'
import { Icon, Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { fill } from '../../../runtime/ui/slot.ts'
import { withCondition } from '../../../runtime/ui/toolbar.tsx'
import { view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { presence } from '../../../runtime/ui/visitors-now.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { dimensionOf, labelOf, Overview } from '../stats/index.ts'
import { livePath } from '../stats/records.ts'
import { Minutes, NowCount } from './components.tsx'
import { live_get } from './operations.ts'
import { Live } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export const pathOfLive = fill(livePath, ({ page }) => page.pathOf(Live))

export const presenceOnSite = fill(presence, ({ page }) => {
  const path = page.pathOf(Live)
  if (path === undefined) return undefined
  return { path, count: async () => (await page.ask(live_get))?.metrics.visitors }
})

/** Seconds after which the page is loaded again. */
const AGAIN_AFTER = 10

/**
 * Current visitors: the last half hour by the minute, where they are, and what happens. The page loads again every ten seconds,
 * with and without scripts, until the reader pauses it.
 */
export const live = view(
  Live,
  ({ data, page }) => {
    const { url, viewer } = page
    const isPaused = url.searchParams.has('paused')
    const content = (
      <div id="live">
        <section class="card" aria-labelledby="now">
          <div class="between">
            <NowCount data={data} viewer={viewer} id="now" />
            <a class="button plain" id="pause" href={withQuery(url, { paused: isPaused ? undefined : '1' })}>
              <Icon name={isPaused ? 'play' : 'pause'} /> {say(viewer, isPaused ? m.continue_live : m.pause)}
            </a>
          </div>
          <Minutes data={data} viewer={viewer} />
          <p class="help">
            {say(viewer, m.last_5_minutes)}{' '}
            <a href={linkTo(page.pathOf(Overview), url, { period: 'today' })}>{say(viewer, m.today_so_far)}</a>
          </p>
        </section>
        <div class="panels">
          <Stream hits={data.latest} page={page} />
          <section class="card panel live-map" aria-labelledby="where">
            <h2 id="where">{say(viewer, m.where)}</h2>
            <WorldMap
              label={say(viewer, m.countries)}
              values={data.countries.map(row => ({
                country: row.value,
                value: row.visitors,
                says: `${labelIn('country', row, viewer)}: ${plainNumber(row.visitors, viewer)}`,
              }))}
            />
          </section>
          {data.metrics.visitors > 0 && (
            <>
              <Values title={say(viewer, ui.pages_shown)} id="pages" dimension="page" rows={data.pages} page={page} />
              <Values title={say(viewer, ui.sources)} id="sources" dimension="source" rows={data.sources} page={page} />
              <Values title={say(viewer, m.countries)} id="countries" dimension="country" rows={data.countries} page={page} />
            </>
          )}
        </div>
      </div>
    )
    const { visitors } = data.metrics
    const heading = visitors > 0 && !isPaused ? `(${plainNumber(visitors, viewer)})` : undefined
    return { content, ...(heading !== undefined && { heading }), ...(!isPaused && { againAfter: AGAIN_AFTER }) }
  },
  { own: ['paused'] },
)

interface StreamProps {
  readonly hits: Static<typeof Live>['latest']
  readonly page: ViewedPage
}

/** The last hits, newest first. */
function Stream({ hits, page: { viewer, pathOf, url } }: StreamProps) {
  const overview = pathOf(Overview)
  const today = (dimension: string, value: string) =>
    overview && withCondition(new URL(`${overview}?period=today`, url), { dimension, value })
  const named = (name: string, value: string) => {
    const dimension = dimensionOf(name)
    return labelIn(name, { value, label: dimension ? labelOf(dimension, value) : value }, viewer)
  }
  return (
    <Panel title={say(viewer, m.stream)} id="stream">
      {hits.length === 0 ? (
        <p class="none">{say(viewer, m.nothing_happened)}</p>
      ) : (
        <ol class="stream">
          {hits.map(({ at, event, page, source, country, device }) => (
            <li>
              <time datetime={at}>{timeOfDay(at, viewer)}</time>
              <a class="what" href={event === null ? today('page', page) : today('event', event)}>
                <Icon name={event === null ? 'page' : 'event'} />
                <span>{event ?? page}</span>
              </a>
              <span class="from">
                {(['country', 'device', 'source'] as const).map(dimension => {
                  const value = { country, device, source }[dimension]
                  const says = named(dimension, value)
                  return (
                    <span title={says}>
                      <Mark dimension={dimension} value={value} label={says} />
                      <span class="unseen">{says}</span>
                    </span>
                  )
                })}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

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
      />
    </Panel>
  )
}
