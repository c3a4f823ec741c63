/** Parts of reports that pages of other areas draw. */
import { Change } from '../../../runtime/ui/change.tsx'
import type { BarRow } from '../../../runtime/ui/bar-table.tsx'
import { shortInUnit, percent, type Viewer } from '../../../runtime/ui/format.ts'
import { type Labelled, labelIn } from '../../../runtime/ui/labels.ts'

interface ValueRow<M extends string> extends Labelled {
  readonly share: number
  readonly comparison?: { readonly change: Readonly<Partial<Record<M, number | null>>> }
}

/** A value with a count, and the change of the count or, without a comparison, its share. */
export const valueRow = <M extends string>(row: ValueRow<M> & Readonly<Record<M, number>>, metric: M, viewer: Viewer): BarRow => ({
  label: labelIn('source', row, viewer),
  weight: row[metric],
  cells: [
    shortInUnit(row[metric], 'count', viewer),
    row.comparison ? <Change value={row.comparison.change[metric]} isCompared viewer={viewer} /> : percent(row.share, viewer),
  ],
})
