import { Type } from '@sinclair/typebox'
import { limitedBy } from '../../../../runtime/table/report-limits.ts'
import { report } from '../../../../runtime/table/operation.ts'
import { brief, meantBy, OneOf, record } from '../../../../runtime/table/schema.ts'
import { checkedBy } from '../../../../runtime/table/validate.ts'
import { dimensionOf, DIMENSIONS_KNOWN, MAX_DIMENSION_LENGTH, PROPERTY_KEYS } from '../../../../storage/engine/vocabulary/dimensions.ts'
import { LIMITS } from '../../../sites/collection/index.ts'
import { otherDimensions } from '../../../sites/segments/index.ts'
import { site } from '../../../sites/sites/records.ts'
import { apply } from '../applied.ts'
import { engine } from '../engine.ts'
import { statsInput } from '../input.ts'
import { beyondDays } from '../limited.ts'
import { Period, ReportMeta } from '../records.ts'
import { periodOf, withNotes } from '../reports.ts'
import { dimensionSynonym, periodSynonym } from '../synonyms.ts'
import { fieldTerm } from '../../../../runtime/texts/message.ts'
import { m } from '../messages.ts'
import { type Period as PeriodName, PERIODS } from '../time/period.ts'
import { suggest } from './suggest.ts'

export const Suggestions = record(
  'Suggestions',
  {
    period: Period,
    dimension: Type.String({ description: 'Dimension of the values.' }),
    rows: Type.Array(
      Type.Object({
        value: Type.String({ description: 'The value, as filters accept it; empty if it is missing.' }),
        label: Type.String({ description: 'Display form of the value.' }),
        visitors: Type.Integer({ unit: 'count', description: 'Visitors with the value in the period.' }),
      }),
      { description: 'Values that begin with the text, then values that contain it, each with most visitors first.' },
    ),
  },
  'Values of a dimension that match a text.',
)

const periods = PERIODS.filter((period): period is Exclude<PeriodName, 'custom'> => period !== 'custom')
const isKnown = (name: string) => name === PROPERTY_KEYS || dimensionOf(name) !== undefined

export const values_suggest = report({
  route: 'GET /sites/{site_id}/values/{dimension}',
  summary: 'Suggest values of a dimension, or keys of properties',
  title: 'Suggestions',
  place: 'aside',
  description:
    'Exact values for filters and goals that begin with or contain a text, most visitors first. Countries are also found by name, in any language.',
  access: 'analytics.read',
  on: site,
  groups: true,
  path: {
    dimension: Type.String({
      maxLength: MAX_DIMENSION_LENGTH,
      description: `Dimension: ${DIMENSIONS_KNOWN}; or ${PROPERTY_KEYS} for the keys of properties.`,
      [brief]: { description: 'As in stats_breakdown; `property`: keys of properties.' },
      [meantBy]: text => (isKnown(text) ? undefined : dimensionSynonym(text)),
      [limitedBy]: otherDimensions,
      [checkedBy]: given => unknown(String(given)),
    }),
  },
  effect: 'read',
  input: {
    text: Type.String({
      default: '',
      maxLength: LIMITS.value,
      description: 'Text that the values begin with or contain, in any case. Empty: all values.',
      [brief]: { description: 'Part of the value.' },
    }),
    limit: Type.Integer({
      unit: 'count',
      default: 10,
      minimum: 1,
      maximum: 100,
      description: 'Number of values at most.',
      [brief]: { description: 'At most.' },
    }),
    period: OneOf(periods, {
      default: '30d',
      description: 'Days in the time zone of the site, today included as far as it has come.',
      [brief]: { description: 'As in stats_breakdown.', default: undefined, enum: undefined },
      [meantBy]: periodSynonym,
      [limitedBy]: beyondDays,
    }),
    filters: statsInput.filters,
    segment_id: statsInput.segment_id,
  },
  output: Suggestions,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', dimension: 'page', text: '/b' } },
    { summary: 'A country by its name', input: { site_id: '{{site}}', dimension: 'country', text: 'germ' } },
    {
      summary: 'Keys of properties of an event',
      input: { site_id: '{{site}}', dimension: 'property', filters: [['event', 'is', 'Signup']] },
    },
  ],
  async run({ site, input, db, now, use }) {
    const applied = await apply(db, site, now, input, () => unknown(input.dimension))
    const { rows, notes } = await suggest(db, applied, input, use(engine))
    return { data: { period: periodOf(applied.range), dimension: input.dimension, rows }, meta: withNotes(applied.meta, notes) }
  },
})

function unknown(dimension: string) {
  if (isKnown(dimension)) return []
  const message = m.unknown_dimension({
    field: fieldTerm('dimension'),
    known: `${DIMENSIONS_KNOWN}, ${PROPERTY_KEYS}`,
    received: JSON.stringify(dimension.slice(0, 80)),
  })
  return [{ in: 'path' as const, pointer: '/dimension', code: 'not_in_enum' as const, message }]
}
