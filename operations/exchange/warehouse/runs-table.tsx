/** Runs of a warehouse sync: what each sent, how long it took, and why it failed. */
import type { Static } from '../../../runtime/table/schema.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { duration, inUnit, instant, type Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import type { WarehouseSyncRun } from './records.ts'
import { say } from '../../../runtime/texts/say.ts'

export function RunsTable({ runs, viewer }: { runs: readonly Static<typeof WarehouseSyncRun>[]; viewer: Viewer }) {
  const head = (name: string) => fieldWords(name, viewer)
  return (
    <section class="card scroll" tabindex={0} aria-label={head('runs')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{head('started_at')}</th>
            <th scope="col">{head('status')}</th>
            <th scope="col" class="number">
              {head('days')}
            </th>
            <th scope="col" class="number">
              {head('rows')}
            </th>
            <th scope="col" class="number">
              {head('bytes')}
            </th>
            <th scope="col" class="number">
              {head('duration')}
            </th>
            <th scope="col">{head('error')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ started_at, finished_at, status, days, rows, bytes, error }) => (
            <tr>
              <th scope="row">
                <time datetime={started_at}>{instant(started_at, viewer)}</time>
              </th>
              <td>
                <Tag value={status} viewer={viewer} />
              </td>
              <td class="number">{inUnit(days, 'count', viewer)}</td>
              <td class="number">{inUnit(rows, 'count', viewer)}</td>
              <td class="number">{inUnit(bytes, 'bytes', viewer)}</td>
              <td class="number">{finished_at === null ? '' : duration(Date.parse(finished_at) - Date.parse(started_at), viewer)}</td>
              <td>{say(viewer, error?.message ?? '')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
