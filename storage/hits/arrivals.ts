import type { VisitDimension } from '../tables/index.ts'

/** The columns from which a visit's channel is derived. */
export const arrivalDimensions = [
  'source',
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'entry_page',
  'hostname',
] as const satisfies readonly VisitDimension[]
export type ArrivalTexts = Readonly<Record<(typeof arrivalDimensions)[number] | 'channel', string>>
