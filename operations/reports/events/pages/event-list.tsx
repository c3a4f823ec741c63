import { Change } from '../../../../runtime/ui/change.tsx'
import { inUnit } from '../../../../runtime/ui/format.ts'
import { linkTo } from '../../../../runtime/ui/links.ts'
import { Paging } from '../../../../runtime/ui/list.tsx'
import { Bar, Nothing } from '../../../../runtime/ui/share.tsx'
import { view } from '../../../../runtime/ui/view.ts'
import { fieldWords } from '../../../../runtime/ui/words.ts'
import { EventDetail, EventList, EventRow } from '../answers.ts'
import { m } from '../messages.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

const columns = ['events', 'visitors', 'conversion_rate', 'revenue'] as const

/** Events of a site, the most frequent first; each leads to its page. */
export const eventList = view(
  EventList,
  ({ data: { rows }, meta, page: { url, viewer, pathOf } }) => {
    if (rows.length === 0) return <Nothing>{say(viewer, m.no_event)}</Nothing>
    // The link of a guest may hide revenue, which is then not in the answer.
    const shown = columns.filter(name => Object.hasOwn(rows[0] ?? {}, name))
    const most = Math.max(1, ...rows.map(({ events }) => events))
    return (
      <>
        <section class="card scroll" tabindex={0} aria-label={say(viewer, ui.events)}>
          <table class="list bars stacks">
            <thead>
              <tr>
                <th scope="col">{say(viewer, ui.event)}</th>
                {shown.map(name => (
                  <th scope="col" class="number">
                    {fieldWords(name, viewer)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr>
                  <th scope="row">
                    <Bar value={row.events} most={most} />
                    <a href={linkTo(pathOf(EventDetail), url, { name: row.value })}>{row.label}</a>
                  </th>
                  {shown.map(name => (
                    <td class="number" data-label={fieldWords(name, viewer)}>
                      {inUnit(row[name], EventRow.properties[name].unit, viewer)}{' '}
                      <Change
                        value={row.comparison?.change[name]}
                        isCompared={row.comparison !== undefined && name === 'events'}
                        viewer={viewer}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <Paging url={url} meta={meta} viewer={viewer} />
      </>
    )
  },
  { hasOptions: true, asks: () => ({ compare: 'previous_period' }) },
)
