import { form } from '../../../runtime/ui/form-layout.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { view } from '../../../runtime/ui/view.ts'
import { say } from '../../../runtime/texts/say.ts'
import { segmentPreview } from '../sites/records.ts'
import { segmentFields } from './form.tsx'
import { m } from './messages.ts'
import { segments_create, segments_update } from './operations.ts'
import { Segment, segmentReport } from './records.ts'

/** A segment: its conditions, how many visits fit them, and the way to their report. */
export const segment = view(Segment, async ({ data, page }) => {
  const [report, preview] = await Promise.all([
    page.fill(segmentReport, { segment: data }),
    page.fill(segmentPreview, { siteId: data.site_id, filters: data.filters }),
  ])
  return (
    <div class="card">
      <RecordView schema={page.schema} data={data} viewer={page.viewer} without={new Set(['id', 'site_id', 'name'])} />
      <div class="ends">
        {report !== undefined && (
          <a class="button plain" href={report}>
            {say(page.viewer, m.open_report)}
          </a>
        )}
        {preview}
      </div>
    </div>
  )
})

export const createSegment = form(segments_create, segmentFields)
export const changeSegment = form(segments_update, segmentFields)
