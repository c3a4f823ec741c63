/** The top values of a dimension on the overview, with tabs for other dimensions. A click on a value filters the page by it. */
import type { Static } from '../../../../runtime/table/schema.ts'
import { Change } from '../../../../runtime/ui/change.tsx'
import { shortInUnit, percent } from '../../../../runtime/ui/format.ts'
import { Mark } from '../../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../../runtime/ui/labels.ts'
import { Bar } from '../../../../runtime/ui/share.tsx'
import { conditioner } from '../../../../runtime/ui/toolbar.tsx'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { fieldWords, withQuery } from '../../../../runtime/ui/words.ts'
import { stats_breakdown } from '../operations.ts'
import type { Row } from '../records.ts'
import { type PanelTabs, tabOf } from './panels.ts'
import { weigher } from './weight.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { m } from '../messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

/** Parameters of the address that the whole breakdown takes over. */
const keptParameters = ['period', 'from', 'to', 'filters', 'compare', 'segment_id', 'include_imported']
const MOST_ROWS = 9

interface PanelProps {
  readonly panel: PanelTabs
  readonly rows: readonly Static<typeof Row>[]
  readonly page: ViewedPage
}

export function OverviewPanel({ panel, rows, page: { url, viewer, pathOf } }: PanelProps) {
  const { name, tabs } = panel
  const dimension = tabOf(url.searchParams, panel)
  const weight = weigher(rows)
  const most = Math.max(1, ...rows.map(weight))
  const tab = tabs[dimension]
  const label = tab ? say(viewer, tab) : fieldWords(dimension, viewer)
  const narrowed = conditioner(url, dimension)
  const more = pathOf(stats_breakdown, { dimension })
  const kept = new URLSearchParams([...url.searchParams].filter(([each]) => keptParameters.includes(each)))
  return (
    <section class="card panel" aria-labelledby={`panel-${name}`} id={name}>
      <h2 id={`panel-${name}`} class="unseen">
        {label}
      </h2>
      <nav class="tabs" aria-label={label}>
        {Object.entries(tabs).map(([each, called], i) => (
          <a
            href={`${withQuery(url, { [name]: i === 0 ? undefined : each })}#${name}`}
            aria-current={each === dimension ? 'true' : undefined}
          >
            {say(viewer, called)}
          </a>
        ))}
      </nav>
      {rows.length === 0 ? (
        <p class="none">{say(viewer, ui.nothing_in_period)}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{label}</th>
              <th scope="col" class="number">
                {fieldWords('visitors', viewer)}
              </th>
              <th scope="col" class="number">
                {rows.some(({ comparison }) => comparison) ? (
                  say(viewer, ui.change)
                ) : (
                  <>
                    <span class="unseen">{say(viewer, m.share)}</span>
                    <span aria-hidden="true">%</span>
                  </>
                )}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map(row => (
              <tr>
                <th scope="row">
                  <Bar value={weight(row)} most={most} />
                  <a href={narrowed(row.value)} title={labelIn(dimension, row, viewer)}>
                    <Mark dimension={dimension} value={row.value} label={row.label} />
                    <span>{labelIn(dimension, row, viewer)}</span>
                  </a>
                </th>
                <td class="number">{shortInUnit(row.visitors, 'count', viewer)}</td>
                <td class="number small">
                  {row.comparison
                    ? row.visitors !== null &&
                      row.comparison.visitors !== null && <Change value={row.comparison.change.visitors} isCompared viewer={viewer} />
                    : row.share === null
                      ? ''
                      : percent(Math.round(row.share), viewer)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more !== undefined && rows.length > 0 && (
        <p class="ends">
          <a href={`${more}${kept.size > 0 ? `?${kept}` : ''}`}>{say(viewer, m.all_of, { what: label })}</a>
        </p>
      )}
    </section>
  )
}
