/** Events of a site, the most frequent first; each leads to its page. */
import { say } from '../../../runtime/ui/languages/index.ts'
import { inUnit } from '../../../runtime/ui/format.ts'
import { Paging } from '../../../runtime/ui/list.tsx'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { fieldsOf, list, number, record, text } from './read.ts'
import type { View } from './view.ts'
import { Bar, Nothing } from '../../../runtime/ui/share.tsx'

const columns = ['events', 'visitors', 'conversion_rate', 'revenue'] as const

export const eventList: View = {
  hasOptions: true,
  asks: () => ({ compare: 'previous_period' }),
  async show({ schema, data, meta, url, viewer, pathOf }) {
    const rows = list(data.rows)
    const fields = fieldsOf(schema, 'rows')
    const most = Math.max(1, ...rows.map(row => number(row.events)))
    if (rows.length === 0) {
      return {
        content: <Nothing>{say(viewer, 'no_event')}</Nothing>,
      }
    }
    return {
      content: (
        <>
          <section class="card scroll" tabindex={0} aria-label={say(viewer, 'events')}>
            <table class="list bars stacks">
              <thead>
                <tr>
                  <th scope="col">{say(viewer, 'event')}</th>
                  {columns.map(name => (
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
                      <Bar value={number(row.events)} most={most} />
                      <a href={linkTo(pathOf('EventDetail'), url, { name: text(row.value) })}>{text(row.label)}</a>
                    </th>
                    {columns.map(name => (
                      <td class="number" data-label={fieldWords(name, viewer)}>
                        {inUnit(number(row[name]), fields[name]?.unit, viewer)}{' '}
                        <Change
                          value={record(record(row.comparison).change)[name]}
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
      ),
    }
  },
}
