import { nothing } from '../../../../runtime/ui/cell.tsx'
import { Change } from '../../../../runtime/ui/change.tsx'
import { FigureTable } from '../../../../runtime/ui/figure-table.tsx'
import { inUnit } from '../../../../runtime/ui/format.ts'
import { linkTo } from '../../../../runtime/ui/links.ts'
import { Paging } from '../../../../runtime/ui/list.tsx'
import { Bar, Nothing } from '../../../../runtime/ui/share.tsx'
import { view } from '../../../../runtime/ui/view.ts'
import { fieldWords } from '../../../../runtime/ui/words.ts'
import { EventDetail, EventList, EventRow } from '../answers.ts'
import { m } from '../messages.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { say, sayParts } from '../../../../runtime/texts/say.ts'

const columns = ['events', 'visitors', 'conversion_rate', 'revenue'] as const

/** Events of a site, the most frequent first; each leads to its page. */
export const eventList = view(
  EventList,
  ({ data: { rows }, meta, page: { url, viewer, pathOf } }) => {
    if (rows.length === 0)
      return (
        <Nothing
          like={{
            icon: 'event',
            rows: [
              ['Signup', '128'],
              ['Purchase', '36'],
              ['Outbound link: Click', '20'],
            ],
          }}
          help={sayParts(viewer, m.send_event, { code: <code>footfall('Signup')</code> })}
        >
          {say(viewer, m.no_event)}
        </Nothing>
      )
    // The link of a guest may hide revenue, which is then not in the answer.
    const shown = columns.filter(name => Object.hasOwn(rows[0] ?? {}, name))
    const max = Math.max(1, ...rows.map(({ events }) => events))
    return (
      <>
        <FigureTable
          label={say(viewer, ui.events)}
          of={say(viewer, ui.event)}
          columns={shown.map(name => fieldWords(name, viewer))}
          rows={rows.map(row => ({
            head: (
              <>
                <Bar value={row.events} max={max} />
                <a href={linkTo(pathOf(EventDetail), url, { name: row.value })}>{row.label}</a>
              </>
            ),
            cells: shown.map(name =>
              name === 'revenue' && row.revenue === 0 ? (
                nothing(viewer)
              ) : (
                <>
                  {inUnit(row[name], EventRow.properties[name].unit, viewer)}{' '}
                  <Change
                    value={row.comparison?.change[name]}
                    isCompared={row.comparison !== undefined && name === 'events'}
                    viewer={viewer}
                  />
                </>
              ),
            ),
          }))}
          hasBars
        />
        <Paging url={url} meta={meta} viewer={viewer} />
      </>
    )
  },
  { hasOptions: true, asks: () => ({ compare: 'previous_period' }) },
)
