import { RecordView } from '../../../runtime/ui/record.tsx'
import { listOf, listView, view } from '../../../runtime/ui/view.ts'
import { Site } from '../../sites/sites/records.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { syncChange, syncFields } from './form.tsx'
import { warehouse_syncs_create, warehouse_syncs_update } from './operations.ts'
import { WarehouseSync, WarehouseSyncRun } from './records.ts'
import { RunsTable } from './runs-table.tsx'

/** Shown even if they are empty. The other empty fields belong to the other kind of destination. */
const always = new Set(['last_synced_at', 'backfill_from'])
const hidden = ['id', 'name', 'site_ids', 'secret_access_key_present', 'password_present', 'enabled']

/** A sync, with the fields of its destination and the names of its sites. */
export const warehouseSync = view(WarehouseSync, async ({ data, page }) => {
  const { schema, viewer } = page
  const sites = (await page.ask(listOf(Site), { per_page: 100 })) ?? []
  const names = data.site_ids.map(id => sites.find(site => site.id === id)?.name || id)
  const empty = Object.entries(data).flatMap(([name, value]) => (value === null && !always.has(name) ? [name] : []))
  return (
    <div class="card">
      <RecordView schema={schema} data={{ ...data, sites: names.join(', ') }} viewer={viewer} without={new Set([...hidden, ...empty])} />
    </div>
  )
})

export const createSync = form(warehouse_syncs_create, syncFields)
export const changeSync = form(warehouse_syncs_update, syncChange)

/** Runs of a sync as a table. */
export const warehouseRuns = listView(WarehouseSyncRun, ({ rows, page }) =>
  rows.length === 0 ? undefined : <RunsTable runs={rows} viewer={page.viewer} />,
)
