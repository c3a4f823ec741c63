/** A site at a glance: what changed, when, and who it was. Every click is another address. */
import { isObject } from '../../../runtime/values/json.ts'
import { isSaidAsOne } from '../../../runtime/texts/plural.ts'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { instant, inUnit, percent, plainNumber, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { inLanguage, say } from '../../../runtime/ui/languages/index.ts'
import { fieldWords, withQuery, words } from '../../../runtime/ui/words.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { firstHit } from './first-hit.tsx'
import { notesOn } from '../../../runtime/ui/charts/notes.ts'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { fieldsOf, list, number, record, type Row, text } from './read.ts'
import { type Since, sinceLooked } from './since.ts'
import { conditioner } from '../../../runtime/ui/toolbar.tsx'
import type { Seen, View } from './view.ts'
import { Bar } from '../../../runtime/ui/share.tsx'

/** Panels with their tabs: dimensions of breakdowns, and what they are called here. */
const panels: readonly { readonly name: string; readonly tabs: Readonly<Record<string, string>> }[] = [
  { name: 'sources', tabs: { source: 'Sources', channel: 'Channels', utm_campaign: 'Campaigns', referrer: 'Referrers' } },
  { name: 'pages', tabs: { page: 'Pages', entry_page: 'Entry pages', exit_page: 'Exit pages' } },
  { name: 'places', tabs: { country: 'Countries', region: 'Regions', city: 'Cities', language: 'Languages' } },
  { name: 'devices', tabs: { browser: 'Browsers', os: 'Systems', device: 'Devices', screen: 'Screens' } },
  { name: 'goals', tabs: { goal: 'Goals', event: 'Events' } },
]
/** A name for the values of a dimension: `Countries`. */
export function panelWords(dimension: string, viewer: Viewer): string | undefined {
  const found = panels.flatMap(({ tabs }) => (Object.hasOwn(tabs, dimension) ? [tabs[dimension] ?? ''] : []))
  return found[0] === undefined ? undefined : inLanguage(viewer, found[0])
}
/** Those that have something to show, each with the tabs that may be looked at. */
const panelsFor = (may: Seen['may']): typeof panels =>
  panels
    .map(({ name, tabs }) => ({ name, tabs: Object.fromEntries(Object.entries(tabs).filter(([tab]) => may(tab))) }))
    .filter(({ tabs }) => Object.keys(tabs).length > 0)
const tabOf = (query: URLSearchParams, { name, tabs }: (typeof panels)[number]): string => {
  const asked = query.get(name) ?? ''
  return Object.hasOwn(tabs, asked) ? asked : (Object.keys(tabs)[0] ?? '')
}

export const overview: View = {
  own: ['metric', ...panels.map(({ name }) => name)],
  asks: (query, may) => ({ compare: 'previous_period', panels: panelsFor(may).map(panel => tabOf(query, panel)) }),
  async show(seen) {
    const { data, url } = seen
    if (!url.searchParams.has('filters') && number(record(data.metrics).pageviews) === 0 && (await isUntouched(seen))) {
      return firstHit(seen)
    }
    const live = number(data.live_visitors)
    const since = await sinceLooked(text(seen.site?.id), text(seen.site?.timezone) || 'UTC', seen)
    return { content: <Overview seen={seen} since={since} />, ...(live > 0 && { heading: `(${plainNumber(live, seen.viewer)})` }) }
  },
}

/** Whether nothing has ever come in. */
async function isUntouched({ ask }: Seen): Promise<boolean> {
  const all = await ask('Aggregate', { period: 'all' })
  return all !== undefined && number(record(all.metrics).pageviews) === 0
}

function Overview({ seen, since }: { seen: Seen; since: Since | undefined }) {
  const { schema, data, meta, url, viewer, pathOf, may, formFor } = seen
  const fields = fieldsOf(schema, 'metrics')
  const metrics = record(data.metrics)
  const comparison = isObject(data.comparison) ? data.comparison : undefined
  const asked = url.searchParams.get('metric') ?? ''
  const metric = Object.hasOwn(metrics, asked) ? asked : 'visitors'
  const interval = text(data.interval)
  const live = number(data.live_visitors)
  const note = formFor('Note', {})
  const series = list(data.series)
  const before = list(comparison?.series)
  const show = (value: number, isShort = false) => inUnit(value, fields[metric]?.unit, viewer, isShort)
  return (
    <>
      <section class="card glance" aria-label={say(viewer, 'at_a_glance')}>
        <p class="live">
          <span class="pulse" aria-hidden="true" />
          <a href={pathOf('Live')} data-key="r" data-does={say(viewer, 'who_now')}>
            {say(viewer, isSaidAsOne(live, viewer.locale) ? 'visitor_now' : 'visitors_now', { count: plainNumber(live, viewer) })}
          </a>
        </p>
        {since && (
          <p class="since">
            {say(viewer, 'since_looked', { when: instant(new Date(since.at).toISOString(), viewer) })}:{' '}
            <b>
              {say(viewer, 'visits_pageviews', {
                visits: plainNumber(since.visits, viewer),
                pageviews: plainNumber(since.pageviews, viewer),
              })}
            </b>
          </p>
        )}
        <ul class="headline">
          {Object.entries(metrics).map(([name, value]) => (
            <li>
              <a
                href={withQuery(url, { metric: name === 'visitors' ? undefined : name })}
                aria-current={name === metric ? 'true' : undefined}
              >
                <span class="name">{fieldWords(name, viewer)}</span>
                <span class="figure">{inUnit(number(value), fields[name]?.unit, viewer, true)}</span>
                <Change
                  value={record(comparison?.change)[name]}
                  isLessBetter={fields[name]?.better === 'less'}
                  isCompared={comparison !== undefined}
                  viewer={viewer}
                />
              </a>
            </li>
          ))}
        </ul>
        <LineChart
          title={fieldWords(metric, viewer)}
          reader={viewer}
          points={series.map((point, i) => ({
            label: pointLabel(text(point.at), interval, viewer),
            at: text(point.at),
            value: number(point[metric]),
            before: typeof before[i]?.[metric] === 'number' ? number(before[i]?.[metric]) : null,
            isPartial: point.partial === true,
          }))}
          notes={notesOn(
            series.map(point => ({ at: text(point.at) })),
            list(data.notes).map(note => ({ at: text(note.at), text: text(note.text) })),
          )}
          isCompared={comparison !== undefined}
          format={value => show(value)}
          short={value => show(value, true)}
        />
        {list(data.notes).length > 0 && (
          <ul class="notes" aria-label={say(viewer, 'notes')}>
            {list(data.notes).map(note => (
              <li>
                <time datetime={text(note.at)}>{pointLabel(text(note.at), 'day', viewer)}</time> {text(note.text)}
              </li>
            ))}
          </ul>
        )}
        {note !== undefined && (
          <p class="beside">
            <a class="add-note" href={note}>
              {say(viewer, 'add_note')}
            </a>
          </p>
        )}
        {list(meta.notes).map(note => (
          <p class="help">{text(note.message)}</p>
        ))}
      </section>
      <div class="panels">
        {panelsFor(may).map((panel, i) => (
          <Panel
            panel={panel}
            data={record(list(data.panels)[i])}
            url={url}
            viewer={viewer}
            whole={number(metrics.visitors)}
            pathOf={pathOf}
          />
        ))}
      </div>
    </>
  )
}

interface PanelProps {
  readonly panel: (typeof panels)[number]
  readonly data: Row
  readonly url: URL
  readonly viewer: Viewer
  /** Visitors of the period. */
  readonly whole: number
  readonly pathOf: Seen['pathOf']
}

function Panel({ panel, data, url, viewer, whole, pathOf }: PanelProps) {
  const { name, tabs } = panel
  const dimension = tabOf(url.searchParams, panel)
  const rows = list(data.rows)
  const most = Math.max(1, ...rows.map(row => number(row.visitors)))
  const label = inLanguage(viewer, tabs[dimension] ?? words(dimension))
  const narrowed = conditioner(url, dimension)
  const more = pathOf('Breakdown', { dimension })
  const kept = new URLSearchParams(
    [...url.searchParams].filter(([each]) => ['period', 'from', 'to', 'filters', 'compare', 'segment_id'].includes(each)),
  )
  return (
    <section class="card panel" aria-labelledby={`panel-${name}`} id={name}>
      <h2 id={`panel-${name}`} class="unseen">
        {label}
      </h2>
      <nav class="tabs" aria-label={label}>
        {Object.entries(tabs).map(([tab, called], i) => (
          <a
            href={`${withQuery(url, { [name]: i === 0 ? undefined : tab })}#${name}`}
            aria-current={tab === dimension ? 'true' : undefined}
          >
            {inLanguage(viewer, called)}
          </a>
        ))}
      </nav>
      {rows.length === 0 ? (
        <p class="none">{say(viewer, 'nothing_in_period')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{label}</th>
              <th scope="col" class="number">
                {fieldWords('visitors', viewer)}
              </th>
              <th scope="col" class="number">
                <span class="unseen">{say(viewer, 'share_or_change')}</span>
                <span aria-hidden="true">%</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 9).map(row => {
              const [value, visitors] = [text(row.value), number(row.visitors)]
              const change = record(record(row.comparison).change).visitors
              return (
                <tr>
                  <th scope="row">
                    <Bar value={visitors} most={most} />
                    <a href={narrowed(value)} title={labelIn(dimension, row, viewer)}>
                      {labelIn(dimension, row, viewer)}
                    </a>
                  </th>
                  <td class="number">{inUnit(visitors, 'count', viewer, true)}</td>
                  <td class="number small">
                    {isObject(row.comparison) ? (
                      <Change value={change} isCompared viewer={viewer} />
                    ) : whole > 0 ? (
                      percent(Math.round((100 * visitors) / whole), viewer)
                    ) : (
                      ''
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {more !== undefined && rows.length > 0 && (
        <p class="ends">
          <a href={`${more}${kept.size > 0 ? `?${kept}` : ''}`}>
            {say(viewer, 'all')} <span class="unseen">{label}</span>
          </a>
        </p>
      )}
    </section>
  )
}
