/** The form of a shared link: which reports it shows, who may open it and until when. */
import type { Content } from '../../../runtime/table/page.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'
import { commonDimensions } from '../../../runtime/ui/conditions.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { Site } from '../../sites/sites/records.ts'
import { m } from './messages.ts'
import type { sharedReports } from './reports.ts'

export const reportWords: Readonly<Record<keyof typeof sharedReports, PlainMessage>> = {
  overview: m.report_overview,
  timeseries: m.report_timeseries,
  breakdown: m.report_breakdown,
  aggregate: m.report_aggregate,
  pages: m.report_pages,
  events: m.report_events,
  journeys: m.report_journeys,
  funnels: m.report_funnels,
  campaigns: m.report_campaigns,
  experiments: m.report_experiments,
  attribution: m.report_attribution,
  visits: m.report_visits,
  performance: m.report_performance,
  live: m.report_live,
  insights: m.report_insights,
  incidents: m.report_incidents,
  notes: m.report_notes,
}

type Field =
  | 'name'
  | 'password'
  | 'expires_at'
  | 'segment_id'
  | 'dashboard_id'
  | 'reports'
  | 'dimensions'
  | 'max_days'
  | 'show_revenue'
  | 'allow_export'
  | 'embed_origins'
  | 'theme'

export function linkFields(parts: FormParts<Field>): Content {
  const { reader, page, choices, isNew } = parts
  const site = page.within(Site)?.name
  const called = (message: PlainMessage): string => say(reader, message)
  const { dimensions } = parts.values
  const taken = Array.isArray(dimensions) ? dimensions.filter(each => !commonDimensions.includes(String(each))).map(String) : []
  for (const name of ['segment_id', 'dashboard_id'] as const) if ((choices.get(name) ?? []).length === 0) parts.without(name)
  return (
    <>
      {parts.field('reports', {
        label: called(m.it_shows),
        help: '',
        options: Object.entries(reportWords).map(([name, message]) => [name, called(message)] as const),
      })}
      <div class="pair">
        {parts.field('password', { help: called(m.password_help) })}
        {parts.field('expires_at', { label: called(m.until), help: called(m.until_help) })}
      </div>
      {parts.field('name', {
        help: called(m.name_help),
        proposed: isNew && site !== undefined ? say(reader, m.proposed_name, { site }) : undefined,
      })}
      {parts.more(called(m.limits), {
        segment_id: { help: called(m.segment_help), blank: called(m.all_visitors) },
        dashboard_id: { help: called(m.dashboard_help) },
        dimensions: {
          label: called(m.dimensions_label),
          help: called(m.dimensions_help),
          options: [...commonDimensions, ...taken].map(name => [name, fieldWords(name, reader)] as const),
        },
        max_days: { label: called(m.days_label), help: called(m.days_help) },
        show_revenue: { help: '', label: called(m.revenue_label) },
        allow_export: { label: called(m.download_label), help: '' },
        embed_origins: {
          label: called(m.embed_label),
          help: called(m.embed_help),
          isRows: true,
          add: called(m.add_embed),
          placeholder: 'https://www.example.com',
        },
        theme: { help: '' },
      })}
    </>
  ) as Content
}
