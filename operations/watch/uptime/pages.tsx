import { CardList } from '../../../runtime/ui/card-list.tsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { fill } from '../../../runtime/ui/slot.ts'
import { listView, view } from '../../../runtime/ui/view.ts'
import { CheckAvailability, checkPath } from '../../reports/availability/records.ts'
import { AvailabilityPanel, checkSummary } from './availability-panel.tsx'
import { checkFields } from './form.tsx'
import { uptime_checks_create, uptime_checks_get, uptime_checks_update, workspace_uptime_checks_create } from './operations.ts'
import { OutagesTable } from './outages-table.tsx'
import { UptimeCheckDetail } from './records.ts'
import { ResponseTimesPanel } from './response-times-panel.tsx'

export const pathOfCheck = fill(checkPath, ({ id, page }) => page.pathOf(uptime_checks_get, { id }))

/** The panels above the record show these fields. */
const inPanels = new Set(['id', 'workspace_id', 'site_id', 'name', 'status', 'uptime', 'range', 'response_times', 'incidents'])

/** An uptime check: its state and availability, its response times, and its outages. */
export const uptimeCheck = view(
  UptimeCheckDetail,
  ({ data, page: { schema, url, now, viewer } }) => (
    <>
      <AvailabilityPanel check={data} now={now} viewer={viewer} />
      <ResponseTimesPanel check={data} url={url} viewer={viewer} />
      <OutagesTable outages={data.incidents} viewer={viewer} />
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} without={inPanels} />
      </div>
    </>
  ),
  { own: ['location'] },
)

/** Uptime checks as cards: the state of each, its availability in 30 days, and the end of its certificate. */
export const uptimeChecks = listView(CheckAvailability, ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const cards = rows.map(row => ({
    name: row.name,
    href: page.hrefOf(row),
    beside: <Tag value={row.status} viewer={viewer} />,
    about: checkSummary(row, viewer),
  }))
  return <CardList cards={cards} />
})

export const createCheck = form(uptime_checks_create, checkFields)
export const createOtherCheck = form(workspace_uptime_checks_create, checkFields)
export const changeCheck = form(uptime_checks_update, checkFields)
