/** Goals of a site, each with its conversions of the last 30 days against the 30 before. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { percent, plainNumber } from '../../../runtime/ui/format.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { list, number, record, type Row, text } from './read.ts'
import { withCondition } from '../../../runtime/ui/toolbar.tsx'
import type { Seen, View } from './view.ts'

/** As many goals as a report lists. */
const mostGoals = 100

export const goals: View = {
  async show(seen) {
    const { data, ask } = seen
    const rows = list(data.rows)
    if (rows.length === 0) return undefined
    const report = await ask('Breakdown', { period: '30d', compare: 'previous_period', limit: mostGoals }, ofGoals(seen))
    const figures = new Map(list(report?.rows).map(row => [text(row.value), row]))
    return { content: <Goals rows={rows} figures={figures} seen={seen} /> }
  },
}

const ofGoals = ({ site }: Seen) => ({ site_id: text(site?.id), dimension: 'goal' })

function Goals({ rows, figures, seen }: { rows: readonly Row[]; figures: ReadonlyMap<string, Row>; seen: Seen }) {
  const { viewer, hrefOf, pathOf, url } = seen
  const overview = pathOf('Overview')
  return (
    <section class="card scroll" tabindex={0} aria-label={say(viewer, 'goals_say')}>
      <table class="list stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, 'goal')}</th>
            <th scope="col">{say(viewer, 'reached_by')}</th>
            <th scope="col" class="number">
              {say(viewer, 'conversions_30')}
            </th>
            <th scope="col" class="number">
              {say(viewer, 'visitors')}
            </th>
            <th scope="col" class="number">
              {say(viewer, 'rate')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(goal => {
            const row = figures.get(text(goal.id)) ?? figures.get(text(goal.name))
            const { change } = record(row?.comparison)
            return (
              <tr>
                <th scope="row">
                  <a href={hrefOf(goal)}>{text(goal.name)}</a>
                </th>
                <td data-label={say(viewer, 'reached_by')}>
                  <span class="tag plain">{valueWords(goal.kind, viewer)}</span> <code>{text(goal.path) || text(goal.event)}</code>
                  {typeof goal.property === 'string' && ` ${say(viewer, 'where_is', { name: goal.property, value: text(goal.value) })}`}
                </td>
                <td class="number" data-label={say(viewer, 'conversions_30')}>
                  {plainNumber(number(row?.conversions), viewer)}{' '}
                  <Change value={record(change).conversions} isCompared={row?.comparison !== undefined} viewer={viewer} />
                </td>
                <td class="number" data-label={say(viewer, 'visitors')}>
                  {overview === undefined ? (
                    plainNumber(number(row?.visitors), viewer)
                  ) : (
                    <a href={withCondition(new URL(overview, url), 'goal', text(row?.value) || text(goal.name))}>
                      {plainNumber(number(row?.visitors), viewer)}
                    </a>
                  )}
                </td>
                <td class="number" data-label={say(viewer, 'rate')}>
                  {percent(number(row?.conversion_rate), viewer)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
