/** Additions of the reports to forms: known values of a dimension, and previews of goals and segments. */
import type { Content } from '../../../../runtime/table/page.ts'
import { sayParts } from '../../../../runtime/texts/say.ts'
import type { Suggestions } from '../../../../runtime/ui/fields/suggestions.ts'
import { percent, plainNumber } from '../../../../runtime/ui/format.ts'
import { fill } from '../../../../runtime/ui/slot.ts'
import { goalPreview } from '../../../sites/goals/records.ts'
import { knownValues, segmentPreview } from '../../../sites/sites/records.ts'
import { m } from '../messages.ts'
import { goals_preview, segments_preview } from '../previews.ts'
import { values_suggest } from '../suggestions/operation.ts'

/** Values that a field offers at once. */
const mostValues = 30

export const valuesKnown = fill(knownValues, async ({ siteId, dimension, text = '', filters, page }): Promise<Suggestions | undefined> => {
  const given = { site_id: siteId, dimension, text, limit: mostValues, ...(filters && { filters: [...filters] as never }) }
  const found = await page.ask(values_suggest, given)
  return (
    found && {
      values: found.rows
        .filter(({ value }) => value !== '')
        .map(({ value, label, visitors }) => ({
          value,
          label: label === value ? undefined : label,
          note: plainNumber(visitors, page.viewer),
        })),
      hasMore: found.rows.length === mostValues,
    }
  )
})

const Preview = ({ children }: { children: readonly (Content | string)[] }) => <p class="forecast">{children}</p>
const bold = (text: string): Content => (<b>{text}</b>) as Content

export const previewOfGoal = fill(goalPreview, async ({ siteId, given, page }) => {
  const textOf = (name: string): string | undefined => (typeof given[name] === 'string' && given[name] !== '' ? given[name] : undefined)
  const kind = given.kind === 'event' ? 'event' : 'page'
  const own = kind === 'event' ? { event: textOf('event') } : { path: textOf('path') }
  if (own.event === undefined && own.path === undefined) return undefined
  const property = textOf('property')
  const value = property === undefined ? undefined : textOf('value')
  const found = await page.ask(goals_preview, { site_id: siteId, kind, ...own, property, value })
  if (!found) return undefined
  const { viewer } = page
  const visits = bold(plainNumber(found.visits, viewer))
  const parts =
    found.visits === 0
      ? sayParts<Content, string>(viewer, m.goal_preview_none)
      : sayParts<Content, typeof m.goal_preview.english>(viewer, m.goal_preview, {
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
  const [visits, share] = [bold(plainNumber(found.visits, viewer)), bold(percent(found.share, viewer))]
  const parts =
    found.visits === 0
      ? sayParts<Content, string>(viewer, m.segment_preview_none)
      : isLeftOut
        ? sayParts<Content, typeof m.left_out_preview.english>(viewer, m.left_out_preview, { visits, share })
        : sayParts<Content, typeof m.segment_preview.english>(viewer, m.segment_preview, { visits, share })
  return (<Preview>{parts}</Preview>) as Content
})

/** A condition that is still typed has no value yet. */
const isComplete = (condition: unknown): boolean =>
  !Array.isArray(condition) || (condition.length === 3 && condition[0] !== '' && condition[2] !== '')
