import { RecordView } from '../../../../runtime/ui/record.tsx'
import { view } from '../../../../runtime/ui/view.ts'
import { ReportNotes } from '../components.tsx'
import { allMeasured } from '../measured.ts'
import { Aggregate, ReportMeta } from '../records.ts'

/** Shown in the toolbar. */
const elsewhere: ReadonlySet<string> = new Set(['period'])

/** Metrics of a period, with imported history unless the address leaves it out. */
export const aggregate = view(
  Aggregate,
  ({ data, meta, page }) => (
    <section class="card">
      <RecordView schema={Aggregate} data={{ ...data, metrics: allMeasured(data.metrics) }} viewer={page.viewer} without={elsewhere} />
      <ReportNotes notes={meta.notes} page={page} />
    </section>
  ),
  { meta: ReportMeta, asks: () => ({ include_imported: true }) },
)
