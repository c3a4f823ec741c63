/** A segment is a named filter of reports. */
import { Type } from '@sinclair/typebox'
import { brief, DateTime, iso, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import type { SavedSegmentRow } from '../../../storage/tables/index.ts'
import { Filters } from './filters-input.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { ofSite } from '../sites/records.ts'

export const ids = { segment: idKind('seg_') }

/** The schema and checks of filters, as for reports. */
export const filters = (description: string) => {
  const { items, maxItems, [checkedBy]: check, [brief]: short } = Filters
  return Type.Array(items, {
    minItems: 1,
    ...(maxItems !== undefined && { maxItems }),
    description,
    [checkedBy]: check,
    ...(short && { [brief]: short }),
  })
}

export const Segment = record(
  'Segment',
  {
    id: Type.String({ description: 'Prefix `seg_`.' }),
    site_id: Type.String({ description: 'Site of the segment.' }),
    name: Type.String({ description: 'Name in reports, unique within the site.' }),
    filters: filters('Conditions that all apply, as the client sent them.'),
    created_at: DateTime({ description: 'When the segment was created.' }),
    updated_at: DateTime({ description: 'When the segment was last changed.' }),
  },
  'A saved segment: filters that reports accept as `segment_id`.',
)

export const segment = subject<'segment', SavedSegmentRow>({ name: 'segment', table: 'saved_segments', find: ofSite('saved_segments') })

export function toSegment(row: SavedSegmentRow): Static<typeof Segment> {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    filters: JSON.parse(row.filters),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export const segmentReport = slot<{ readonly segment: Static<typeof Segment> }, string>('address of the report of a segment')
