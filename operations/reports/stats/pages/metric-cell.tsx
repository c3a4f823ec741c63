/** A figure of a row, with its change if it is compared. */
import type { SchemaOptions } from '@sinclair/typebox'
import { Change } from '../../../../runtime/ui/change.tsx'
import { inUnit, type Viewer } from '../../../../runtime/ui/format.ts'

interface MetricCellProps {
  readonly value: number | null
  /** Undefined if the rows are not compared; null if it is unknown there. */
  readonly compared: number | null | undefined
  readonly change: number | null | undefined
  readonly schema: Pick<SchemaOptions, 'unit' | 'better'>
  readonly viewer: Viewer
}

export function MetricCell({ value, compared, change, schema: { unit, better }, viewer }: MetricCellProps) {
  return (
    <td class="number">
      {inUnit(value, unit, viewer)}
      {value !== null && typeof compared === 'number' && (
        <>
          {' '}
          <Change value={change} figure={value} unit={unit} isCompared isLessBetter={better === 'less'} viewer={viewer} />
        </>
      )}
    </td>
  )
}
