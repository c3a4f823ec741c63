import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { money, percent, plainNumber, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { view } from '../../../runtime/ui/view.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { Site } from '../../sites/sites/records.ts'
import { NoPeople } from '../people/index.ts'
import { m } from './messages.ts'
import { Retention } from './records.ts'

const like = {
  icon: 'returns',
  rows: [
    ['1', '100 % · 24 % · 18 %'],
    ['2', '100 % · 31 %'],
  ],
} as const

type Found = Static<typeof Retention>
type Cell = Found['cohorts'][number]['cells'][number]

const named = { day: m.of_days, week: m.of_weeks, month: m.of_months } as const
const STRENGTHS = 5

/** The curve of all cohorts, a table of cohorts as a heat map, and values of a dimension side by side. */
export const retention = view(
  Retention,
  ({ data, page }) => {
    const { viewer } = page
    if (data.people === 0)
      return page.within(Site)?.identity === 'off' ? <NoPeople page={page} /> : <Nothing like={like}>{say(viewer, m.nobody)}</Nothing>
    const nameOf = (index: number) => say(viewer, named[data.interval], { index })
    // Of a young site, or before its first person, there is nothing to show.
    const cohorts = data.cohorts.slice(
      Math.max(
        0,
        data.cohorts.findIndex(({ people }) => people > 0),
      ),
    )
    const columns = cohorts.map((_, index) => nameOf(index))
    return (
      <>
        <section class="card">
          <LineChart
            reader={viewer}
            title={say(viewer, m.came_back)}
            points={data.curve
              .slice(1, Math.max(2, columns.length))
              .map(({ index, percent }) => ({ label: nameOf(index), value: percent }))}
            isCompared={false}
            format={value => percent(value, viewer)}
            short={value => percent(value, viewer)}
          />
        </section>
        <h2>{say(viewer, m.cohorts)}</h2>
        <p class="help">{say(viewer, m.explained)}</p>
        <FigureTable
          label={say(viewer, m.cohorts)}
          of={say(viewer, m.began)}
          columns={[say(viewer, m.people), ...columns.slice(1), say(viewer, m.lifetime), say(viewer, m.customers), say(viewer, m.repeated)]}
          keepsColumns
          rows={cohorts.map(cohort => ({
            head: <span class="nowrap">{pointLabel(`${cohort.first_day}T00:00:00`, data.interval, viewer)}</span>,
            cells: [
              plainNumber(cohort.people, viewer),
              ...columns.slice(1).map((_, i) => <Heat cell={cohort.cells[i + 1]} base={cohort.people} viewer={viewer} />),
              money(cohort.revenue, viewer, true),
              plainNumber(cohort.customers, viewer),
              plainNumber(cohort.repeat_customers, viewer),
            ],
          }))}
        />
        {data.groups && (
          <>
            <h2>{say(viewer, m.by_value)}</h2>
            <FigureTable
              label={say(viewer, m.by_value)}
              of={fieldWords(data.by ?? '', viewer)}
              columns={[say(viewer, m.people), ...columns.slice(1), say(viewer, m.lifetime), say(viewer, m.repeated)]}
              keepsColumns
              rows={data.groups.map(group => ({
                head: <span class="nowrap">{group.label}</span>,
                cells: [
                  plainNumber(group.people, viewer),
                  ...columns.slice(1).map((_, i) => {
                    const point = group.curve[i + 1]
                    return <Heat cell={point && { ...point, unfinished: false }} base={point?.base ?? 0} viewer={viewer} />
                  }),
                  money(group.revenue, viewer, true),
                  plainNumber(group.repeat_customers, viewer),
                ],
              }))}
            />
          </>
        )}
      </>
    )
  },
  { hasOptions: true },
)

interface HeatProps {
  readonly cell: Pick<Cell, 'people' | 'percent' | 'unfinished'> | undefined
  readonly base: number
  readonly viewer: Viewer
}

/** A share on a colour by its strength; an unfinished one is in brackets. */
function Heat({ cell, base, viewer }: HeatProps) {
  if (!cell || cell.percent === null) return null
  const shown = percent(cell.percent, viewer)
  const strength = Math.min(STRENGTHS, Math.ceil((cell.percent / 100) * 2 * STRENGTHS))
  const full = say(viewer, m.cell, { people: plainNumber(cell.people, viewer), base: plainNumber(base, viewer) })
  return (
    <span class={`warm warm${strength}`} title={cell.unfinished ? `${full} (${say(viewer, m.unfinished)})` : full}>
      {cell.unfinished ? `(${shown})` : shown}
    </span>
  )
}
