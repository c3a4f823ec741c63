/** A warehouse sync with what belongs to its destination alone, and its runs. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { duration, inUnit, instant } from '../../../runtime/ui/format.ts'
import { told } from '../../../runtime/ui/languages/index.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { list, number, record, type Row, sentence, text } from './read.ts'
import type { Seen, View } from './view.ts'

/** Told where they are empty too. */
const always = new Set(['last_synced_at', 'backfill_from'])
const elsewhere = ['id', 'name', 'site_ids', 'secret_access_key_present', 'password_present', 'enabled']

export const warehouseSync: View = {
  async show(seen) {
    const { data, viewer, schema } = seen
    const sites = list((await seen.ask('[Site]', { per_page: 100 }))?.rows)
    const ids = Array.isArray(data.site_ids) ? data.site_ids.map(String) : []
    const named = { ...data, sites: ids.map(id => text(sites.find(site => site.id === id)?.name) || id).join(', ') }
    const empty = Object.keys(data).filter(name => data[name] === null && !always.has(name))
    return {
      content: (
        <div class="card">
          <RecordView schema={schema} data={named} viewer={viewer} without={new Set([...elsewhere, ...empty])} />
        </div>
      ),
    }
  },
}

export const warehouseRuns: View = {
  async show(seen) {
    const rows = list(seen.data.rows)
    return rows.length === 0 ? undefined : { content: <Runs rows={rows} seen={seen} /> }
  },
}

function Runs({ rows, seen: { viewer } }: { rows: readonly Row[]; seen: Seen }) {
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
          {rows.map(row => (
            <tr>
              <th scope="row">
                <time datetime={text(row.started_at)}>{instant(text(row.started_at), viewer)}</time>
              </th>
              <td>
                <Tag value={row.status} viewer={viewer} />
              </td>
              <td class="number">{inUnit(number(row.days), 'count', viewer)}</td>
              <td class="number">{inUnit(number(row.rows), 'count', viewer)}</td>
              <td class="number">{inUnit(number(row.bytes), 'bytes', viewer)}</td>
              <td class="number">
                {row.finished_at === null ? '' : duration(Date.parse(text(row.finished_at)) - Date.parse(text(row.started_at)), viewer)}
              </td>
              <td>{told(viewer, sentence(record(row.error).message))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
