/** Additions of the reports to forms: known values of a dimension, and previews of goals and segments. */
import type { Content } from '../../../../runtime/table/page.ts'
import { sayParts } from '../../../../runtime/texts/say.ts'
import type { Suggestions } from '../../../../runtime/ui/fields/suggestions.ts'
import { percent, plainNumber } from '../../../../runtime/ui/format.ts'
import { flagPath } from '../../../../runtime/ui/icons/flags.ts'
import { fill } from '../../../../runtime/ui/slot.ts'
import { withQuery } from '../../../../runtime/ui/words.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { fieldsOf, kinds } from '../../../sites/goals/index.ts'
import { goalPreview } from '../../../sites/goals/records.ts'
import { segmentReport } from '../../../sites/segments/records.ts'
import { knownValues, segmentPreview } from '../../../sites/sites/records.ts'
import { m } from '../messages.ts'
import { stats_overview } from '../operations.ts'
import { goals_preview, segments_preview } from '../previews.ts'
import { values_suggest } from '../suggestions/operation.ts'

/** Values that a field offers at once. */
const maxValues = 30

export const valuesKnown = fill(knownValues, async ({ siteId, dimension, text = '', filters, page }): Promise<Suggestions | undefined> => {
  const given = { site_id: siteId, dimension, text, limit: maxValues, ...(filters && { filters: [...filters] as never }) }
  const found = await page.ask(values_suggest, given)
  return (
    found && {
      values: found.rows
        .filter(({ value }) => value !== '')
        .map(({ value, label, visitors }) => ({
          value,
          label: label === value ? undefined : label,
          flag: dimension === 'country' ? flagPath(value) : undefined,
          note: plainNumber(visitors, page.viewer),
        })),
      hasMore: found.rows.length === maxValues,
    }
  )
})

/** The fields of the kind as far as they are filled in; undefined before it is known what completes the goal. */
function completed(given: Readonly<Record<string, unknown>>) {
  const kind = kinds.find(each => each === given.kind) ?? 'page'
  const filled = fieldsOf[kind].flatMap(name => {
    const value = given[name]
    if (name === 'properties') return Array.isArray(value) && value.every(isNamed) && value.length > 0 ? [[name, value.map(asSent)]] : []
    if (value === undefined || value === null || value === '' || (name === 'value' && isBlank(given.property))) return []
    return [[name, name === 'depth' || name === 'duration_seconds' ? Number(value) : value]]
  })
  const [first = ''] = fieldsOf[kind]
  const isKnown = filled.some(([name]) => name === first || (kind === 'page' && name === 'regex'))
  return isKnown ? { kind, ...Object.fromEntries(filled) } : undefined
}
const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''
const isNamed = (one: unknown): boolean => isObject(one) && !isBlank(one.property)
const asSent = (one: unknown) => (isObject(one) ? { property: one.property, value: isBlank(one.value) ? null : one.value } : one)

const Preview = ({ children }: { children: readonly (Content | string)[] }) => <p class="forecast">{children}</p>
const bold = (text: string): Content => (<b>{text}</b>) as Content

export const previewOfGoal = fill(goalPreview, async ({ siteId, given, page }) => {
  const input = completed(given)
  const found = input && (await page.ask(goals_preview, { site_id: siteId, ...input }))
  if (!found) return undefined
  const { viewer } = page
  const visits = bold(plainNumber(found.visits, viewer))
  const parts =
    found.visits === 0
      ? sayParts<Content, string>(viewer, m.goal_preview_none)
      : sayParts<Content, typeof m.goal_preview.english>(viewer, m.goal_preview, {
          count: found.visits,
          visits,
          rate: bold(percent(found.conversion_rate, viewer)),
        })
  return (<Preview>{parts}</Preview>) as Content
})

export const previewOfSegment = fill(segmentPreview, async ({ siteId, filters, isLeftOut = false, page }) => {
  const conditions = Array.isArray(filters) ? filters.filter(isComplete) : []
  if (conditions.length === 0) return undefined
  const found = await page.ask(segments_preview, { site_id: siteId, filters: conditions as never })
  if (!found) return undefined
  const { viewer } = page
  const { visits: count } = found
  const [visits, share] = [bold(plainNumber(found.visits, viewer)), bold(percent(found.share, viewer))]
  const parts =
    found.visits === 0
      ? sayParts<Content, string>(viewer, m.segment_preview_none)
      : isLeftOut
        ? sayParts<Content, typeof m.left_out_preview.english>(viewer, m.left_out_preview, { count, visits, share })
        : sayParts<Content, typeof m.segment_preview.english>(viewer, m.segment_preview, { count, visits, share })
  return (<Preview>{parts}</Preview>) as Content
})

export const reportOfSegment = fill(segmentReport, ({ segment, page }) => {
  const overview = page.pathOf(stats_overview)
  return overview && withQuery(new URL(overview, page.url), { segment_id: segment.id })
})

/** A condition that is still typed has no value yet. */
const isComplete = (condition: unknown): boolean =>
  !Array.isArray(condition) || (condition.length === 3 && condition[0] !== '' && condition[2] !== '')
