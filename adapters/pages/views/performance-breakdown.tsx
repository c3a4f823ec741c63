/** One web vital by page, country, device …: where it is slow, and how often. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { plainNumber } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { linkTo } from '../../../runtime/ui/links.ts'
import { pageLink } from './page-link.ts'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { list, number, text } from './read.ts'
import type { View } from './view.ts'
import { measured, Shares } from './vitals.tsx'
import { Bar, Nothing } from '../../../runtime/ui/share.tsx'

const own = ['metric', 'sort', 'percentile'] as const

export const performanceBreakdown: View = {
  hasOptions: true,
  async show({ schema, data, url, viewer, pathOf }) {
    const rows = list(data.rows)
    const dimension = text(data.dimension)
    const dimensions = (schema.properties.dimension.enum ?? []) as readonly string[]
    const kept = Object.fromEntries([...url.searchParams].filter(([name]) => own.some(each => each === name)))
    const most = Math.max(1, ...rows.map(row => number(row.samples)))
    const nameOf = (row: (typeof rows)[number]) => labelIn(dimension, row, viewer)
    return {
      title: say(viewer, 'performance_by', { what: fieldWords(dimension, viewer) }),
      content: (
        <>
          <nav class="pills" aria-label={say(viewer, 'dimension')}>
            {dimensions.map(name => (
              <a
                href={linkTo(pathOf('PerformanceBreakdown', { dimension: name }), url, kept)}
                aria-current={name === dimension ? 'true' : undefined}
              >
                {fieldWords(name, viewer)}
              </a>
            ))}
          </nav>
          {rows.length === 0 ? (
            <Nothing>{say(viewer, 'no_vitals')}</Nothing>
          ) : (
            <section class="card scroll" tabindex={0} aria-label={fieldWords(dimension, viewer)}>
              <table class="list bars">
                <thead>
                  <tr>
                    <th scope="col">{fieldWords(dimension, viewer)}</th>
                    <th scope="col" class="number">
                      {text(data.metric).toUpperCase()} p{number(data.percentile)}
                    </th>
                    <th scope="col">{say(viewer, 'rating')}</th>
                    <th scope="col">{say(viewer, 'good_to_poor')}</th>
                    <th scope="col" class="number">
                      {say(viewer, 'loads')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(row => (
                    <tr>
                      <th scope="row">
                        <Bar value={number(row.samples)} most={most} />
                        {dimension === 'page' && text(row.key) !== '' ? (
                          <a href={pageLink({ pathOf, url }, text(row.key))}>{nameOf(row)}</a>
                        ) : (
                          <span class="named">{nameOf(row)}</span>
                        )}
                      </th>
                      <td class="number">{measured(row.value, data.unit, viewer)}</td>
                      <td>
                        {typeof row.rating === 'string' ? (
                          <Tag value={row.rating} viewer={viewer} />
                        ) : (
                          <span class="help">{say(viewer, 'too_few')}</span>
                        )}
                      </td>
                      <td>{typeof row.rating === 'string' && <Shares row={row} viewer={viewer} />}</td>
                      <td class="number">{plainNumber(number(row.samples), viewer)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </>
      ),
    }
  },
}
