/** Questions that many tests ask. */
import type { AnyQuestion } from '../../../storage/engine/reports/index.ts'
import type { Span } from '../../../storage/engine/vocabulary/scope.ts'

/** The first rows of a dimension, by visitors. */
export const breakdownOf = (dimension: string, span: Span, limit = 50): AnyQuestion => ({
  report: 'breakdown',
  dimension,
  span,
  compared: null,
  sort: 'visitors',
  offset: 0,
  limit,
})
