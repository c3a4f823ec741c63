/** The dimensions that people can be divided by: stored values of the visit that makes them part of a cohort. */
import type { Fault } from '../../../runtime/table/errors.ts'
import { dimensionOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import { visitDimensions } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'

export function unnamedDimension(given: unknown): Fault[] {
  const name = String(given ?? '')
  if (name === '' || visitDimensions.some(each => each === name)) return []
  const message = m.unknown_dimension({ known: visitDimensions.join(', '), received: JSON.stringify(name) })
  return [{ pointer: '/by', code: dimensionOf(name) ? 'mismatch' : 'not_in_enum', message }]
}
