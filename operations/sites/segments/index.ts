/** Exports of this area for other areas: reports have the same filters. */
export { segmentInput } from './fields.ts'
export { FILTER_LIMITS, parseFilters } from './filters.ts'
export { otherDimensions, otherProperties, otherProperty } from './limited.ts'
export { Filters, filtersInFull } from './filters-input.ts'
