/** The fields of a block by their numbers, which are stored: add fields, but never renumber them. */
import { type VisitDimension, visitDimensionNumbers, visitDimensions } from '../tables/index.ts'

const FIRST_DIMENSION = 100
const dimensions = Object.fromEntries(visitDimensions.map(name => [name, FIRST_DIMENSION + visitDimensionNumbers[name].column])) as Record<
  VisitDimension,
  number
> // one each

export const fieldNumbers = {
  ...dimensions,
  hits_of_visit: 1,
  visitor: 2,
  number: 3,
  started_at: 4,
  duration: 5,
  pageviews: 6,
  events: 7,
  bounce: 8,
  revenue: 9,
  attends: 10,
  attended_at: 11,
  sells: 13,
  entry_after: 14,
  exit_after: 15,
  next_seq: 16,
  person: 17,
  person_after: 18,
  at: 40,
  event: 41,
  page: 42,
  seq: 43,
  interactive: 44,
  hit_revenue: 45,
  engaged_ms: 46,
  scroll: 47,
  props_of_hit: 48,
  host: 49,
  key: 60,
  value: 61,
  num: 62,
  float_low: 63,
  float_high: 64,
  vital_place: 70,
  vital_other: 71,
  vital_seq: 72,
  vital_metric: 73,
  vital_page: 74,
  vital_device: 75,
  vital_value: 76,
  click_place: 80,
  click_other: 81,
  click_seq: 82,
  click_page: 83,
  selector: 84,
  x: 85,
  y: 86,
} as const

export type FieldName = keyof typeof fieldNumbers
export const fieldNames = Object.keys(fieldNumbers) as readonly FieldName[] // its own keys

export type TableOfField = 'visits' | 'hits' | 'props' | 'vitals' | 'clicks'
