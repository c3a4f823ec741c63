/** The top values of a dimension on the overview, with tabs for other dimensions. A click on a value filters the page by it. */
import type { Child } from 'hono/jsx'
import type { Static } from '../../../../runtime/table/schema.ts'
import { Change } from '../../../../runtime/ui/change.tsx'
import { Clipped } from '../../../../runtime/ui/clipped.tsx'
import { inUnit, percent, shortInUnit, type Viewer } from '../../../../runtime/ui/format.ts'
import { Mark } from '../../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../../runtime/ui/labels.ts'
import { linkTo } from '../../../../runtime/ui/links.ts'
import { Bar } from '../../../../runtime/ui/share.tsx'
import { conditioner } from '../../../../runtime/ui/toolbar.tsx'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { fieldWords, withQuery } from '../../../../runtime/ui/words.ts'
import { stats_breakdown } from '../operations.ts'
import type { BreakdownRow, Row } from '../records.ts'
import { type PanelTabs, panelWords, type TabName, tabLabel } from './panels.ts'
import { weigher } from './weight.ts'
import { nothingIn } from '../components.tsx'
import { m } from '../messages.ts'
import { dayTerm, fieldTerm } from '../../../../runtime/texts/message.ts'
import { say } from '../../../../runtime/texts/say.ts'

export type PanelRow = Static<typeof Row> | Static<typeof BreakdownRow>

const MAX_ROWS = 9

interface PanelProps {
  readonly panel: PanelTabs
  readonly tab: TabName
  /** Dimension of the rows; undefined if there is none, such as without properties. */
  readonly dimension: string | undefined
  readonly rows: readonly PanelRow[]
  readonly page: ViewedPage
  /** Above the rows: a map, or other properties. */
  readonly above?: Child
  readonly maxRows?: number
  /** Imported days that its rows do not have. */
  readonly without?: { readonly from: string; readonly to: string } | undefined
}

export function OverviewPanel({ panel: { name, tabs }, tab, dimension, rows, page, above, maxRows = MAX_ROWS, without }: PanelProps) {
  const { url, viewer } = page
  const open = tab === 'map' ? tab : (tabs.find(each => each === dimension) ?? tab)
  const label = say(viewer, tabLabel(open))
  const values = (dimension !== undefined ? panelWords(dimension, viewer) : undefined) ?? label
  const more = dimension === undefined ? undefined : page.pathOf(stats_breakdown, { dimension })
  return (
    <section class="card panel" aria-labelledby={`panel-${name}`} id={name}>
      <h2 id={`panel-${name}`} class="unseen">
        {label}
      </h2>
      <nav class="tabs" aria-label={label}>
        {tabs.map(each => (
          <a href={`${withQuery(url, { [name]: each })}#${name}`} aria-current={each === open ? 'true' : undefined}>
            {say(viewer, tabLabel(each))}
          </a>
        ))}
      </nav>
      {above}
      {dimension === undefined || rows.length === 0 ? (
        !without && <p class="none">{nothingIn(url, viewer)}</p>
      ) : (
        <Values dimension={dimension} label={values} rows={rows} max={maxRows} page={page} />
      )}
      {without && dimension !== undefined && (
        <p class="help">
          {say(viewer, m.imported_not_divided, { from: dayTerm(without.from), to: dayTerm(without.to), dimension: fieldTerm(dimension) })}
        </p>
      )}
      {more !== undefined && rows.length > 0 && (
        <p class="ends">
          <a href={linkTo(more, url)}>{say(viewer, m.all_of, { what: values })}</a>
        </p>
      )}
    </section>
  )
}

interface ValuesProps {
  readonly dimension: string
  readonly label: string
  readonly rows: readonly PanelRow[]
  readonly max: number
  readonly page: ViewedPage
}

function Values({ dimension, label, rows, max: maxRows, page: { url, viewer } }: ValuesProps) {
  const weight = weigher(rows)
  const max = Math.max(1, ...rows.map(weight))
  const narrowed = conditioner(url, dimension)
  const isCompared = rows.some(({ comparison }) => comparison)
  const areGoals = rows.some(row => typeof row.conversion_rate === 'number')
  const share = areGoals ? say(viewer, m.conversion_rate_short) : '%'
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col" class="number">
            {fieldWords('visitors', viewer)}
          </th>
          <th scope="col" class={isCompared && !areGoals ? 'number if-wide' : 'number part'}>
            <span class="unseen">{areGoals ? fieldWords('conversion_rate', viewer) : say(viewer, m.share)}</span>
            <span aria-hidden="true">{share}</span>
          </th>
          {isCompared && (
            <th scope="col" class={areGoals ? 'number if-wide change-of' : 'number'}>
              {say(viewer, m.change_heading)}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, maxRows).map(row => (
          <tr>
            <th scope="row">
              <Bar value={weight(row)} max={max} />
              <a href={narrowed(row.value)}>
                <Mark dimension={dimension} value={row.value} label={row.label} />
                <Clipped text={labelIn(dimension, row, viewer)} />
              </a>
            </th>
            <td class="number">{shortInUnit(row.visitors ?? null, 'count', viewer)}</td>
            <td class={isCompared && !areGoals ? 'number small if-wide' : 'number small'}>{partOf(row, areGoals, viewer)}</td>
            {isCompared && (
              <td class={areGoals ? 'number small if-wide' : 'number small'}>
                {row.comparison && typeof row.visitors === 'number' && typeof row.comparison.visitors === 'number' && (
                  <Change value={row.comparison.change.visitors} isCompared viewer={viewer} />
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Share of all visitors or, of a goal, its conversion rate. */
function partOf({ share, conversion_rate: rate }: PanelRow, isGoal: boolean, viewer: Viewer): string {
  if (isGoal) return inUnit(rate ?? null, 'percent', viewer)
  return typeof share === 'number' ? percent(Math.round(share), viewer) : ''
}
