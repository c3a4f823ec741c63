/** Campaigns beside each other: what they brought, and what that cost. A click on one shows its visits. */
import { inUnit } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { headingWords } from '../../../runtime/ui/words.ts'
import { fieldsOf, list, number, text } from './read.ts'
import { withCondition } from '../../../runtime/ui/toolbar.tsx'
import type { View } from './view.ts'
import { bare } from '../../../runtime/ui/cell.tsx'
import { linkTo } from '../../../runtime/ui/links.ts'
import { Bar, Nothing } from '../../../runtime/ui/share.tsx'

const named = new Set(['campaign_id', 'name', 'utm_campaign'])

export const campaignReport: View = {
  async show({ schema, data, url, viewer, pathOf }) {
    const rows = list(data.rows)
    const fields = fieldsOf(schema, 'rows')
    const columns = Object.keys(fields).filter(name => !named.has(name) && rows.some(row => typeof row[name] === 'number'))
    const most = Math.max(1, ...rows.map(row => number(row.visitors)))
    const headings = new Map(columns.map(name => [name, headingWords(name, name.endsWith('_cents') ? 'minor_units' : undefined, viewer)]))
    const overview = linkTo(pathOf('Overview'), url)
    if (rows.length === 0) {
      return {
        content: <Nothing>{say(viewer, 'nothing_in_period')}</Nothing>,
      }
    }
    return {
      content: (
        <section class="card scroll" tabindex={0} aria-label={say(viewer, 'campaign')}>
          <table class="list bars stacks">
            <thead>
              <tr>
                <th scope="col">{say(viewer, 'campaign')}</th>
                {[...headings.values()].map(heading => (
                  <th scope="col" class="number">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr>
                  <th scope="row">
                    <Bar value={number(row.visitors)} most={most} />
                    <a href={overview && withCondition(new URL(overview, url), 'utm_campaign', text(row.utm_campaign))}>
                      {text(row.name) || say(viewer, 'unnamed')}
                    </a>
                    {row.name !== row.utm_campaign && <span class="help beside-name">{text(row.utm_campaign)}</span>}
                  </th>
                  {columns.map(name => (
                    <td class="number" data-label={headings.get(name)}>
                      {typeof row[name] === 'number' ? inUnit(row[name], bare(fields[name] ?? schema).schema.unit, viewer) : '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ),
    }
  },
}
