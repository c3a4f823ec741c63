/** The input: dimensions whose top values an overview shows. */
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../../runtime/table/errors.ts'
import { limitedBy } from '../../../../runtime/table/report-limits.ts'
import { brief } from '../../../../runtime/table/schema.ts'
import { checkedBy } from '../../../../runtime/table/validate.ts'
import { type Dimension, dimensionOf, DIMENSIONS_KNOWN, MAX_DIMENSION_LENGTH } from '../../../../storage/engine/vocabulary/dimensions.ts'
import { otherDimensions } from '../../../sites/segments/index.ts'
import { m } from '../messages.ts'

const DEFAULT = ['channel', 'referrer', 'page', 'entry_page', 'country', 'device', 'browser', 'os', 'utm_campaign', 'event', 'goal']
const MAX_PANELS = 40

export const panelsInput = Type.Array(Type.String({ maxLength: MAX_DIMENSION_LENGTH, description: 'A dimension.' }), {
  default: DEFAULT,
  maxItems: MAX_PANELS,
  [limitedBy]: otherDimensions,
  [checkedBy]: given => unknownPanels(Array.isArray(given) ? given.map(String) : []),
  description: `Dimensions whose top values to show, in this order; an empty list for none. ${DIMENSIONS_KNOWN}.`,
  [brief]: {
    description: 'Dimensions as in `stats_breakdown`, in this order; [] for none.',
    default: undefined,
    items: { type: 'string' },
  },
})

/** Returns the dimensions, without duplicates. */
export const panelsOf = (names: readonly string[]): Dimension[] => [...new Set(names)].flatMap(name => dimensionOf(name) ?? [])

export const unknownPanels = (names: readonly string[]): Fault[] =>
  names.flatMap((name, i) => {
    if (dimensionOf(name)) return []
    const message = m.unknown_dimension({ field: `panels.${i}`, known: DIMENSIONS_KNOWN, received: JSON.stringify(name.slice(0, 80)) })
    return [{ pointer: `/panels/${i}`, code: 'not_in_enum', message }]
  })
