/** The form of an export: what the file contains, its format and days, and which visits. */
import type { Content } from '../../../runtime/table/page.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts, KindCard } from '../../../runtime/ui/form-layout.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { knownIn } from '../../sites/segments/components.tsx'
import { segmentPreview } from '../../sites/sites/records.ts'
import { m } from './messages.ts'
import { formats, kinds } from './records.ts'

type Kind = (typeof kinds)[number]
type Field = 'kind' | 'format' | 'from' | 'to' | 'filters' | 'segment_id' | 'raw' | 'bom'

const cards: Readonly<Record<Kind, readonly [KindCard['icon'], label: PlainMessage, help: PlainMessage]>> = {
  hits: ['event', m.kind_hits, m.kind_hits_help],
  visits: ['visits', m.kind_visits, m.kind_visits_help],
  aggregates: ['series', m.kind_aggregates, m.kind_aggregates_help],
  crawlers: ['crawler', m.kind_crawlers, m.kind_crawlers_help],
}

export async function exportFields(parts: FormParts<Field>): Promise<Content> {
  const { reader, page } = parts
  const text = (message: PlainMessage): string => say(reader, message)
  const values = parts.begin({ kind: 'hits', format: 'csv' })
  const kind = kinds.find(each => each === values.kind) ?? 'hits'
  const ofVisits = kind === 'hits' || kind === 'visits'
  const filters: readonly unknown[] = Array.isArray(values.filters) ? values.filters : []
  const [known, preview] = ofVisits
    ? await Promise.all([knownIn(filters, page), page.fill(segmentPreview, { siteId: page.siteId ?? '', filters })])
    : []
  const hasSegments = (parts.choices.get('segment_id') ?? []).length > 0
  if (!ofVisits) parts.without('filters')
  if (!ofVisits || !hasSegments) parts.without('segment_id')
  if (values.format !== 'csv') parts.without('raw', 'bom')
  return (
    <>
      {parts.kinds(
        'kind',
        kinds.map(value => {
          const [icon, label, help] = cards[value]
          return { value, icon, label: text(label), help: text(help) }
        }),
        { label: text(m.what_to_export) },
      )}
      {parts.field('format', {
        help: text(kind === 'aggregates' ? m.format_in_zip : m.format_of_file),
        options: formats.map(each => [each, valueWords(each, reader)] as const),
        isLeading: true,
        isWanted: true,
      })}
      <div class="pair">
        {parts.field('from', { help: text(m.from_help) })}
        {parts.field('to', { help: text(m.to_help) })}
      </div>
      {ofVisits && (
        <>
          {parts.list('filters', { label: text(m.only_visits), help: '', add: text(m.add_condition), known })}
          {parts.live('preview', preview)}
          {hasSegments && parts.field('segment_id', { help: '', blank: text(m.all_visitors) })}
        </>
      )}
      {parts.more(text(m.for_spreadsheets), {
        raw: { label: text(m.raw_label), help: text(m.raw_help) },
        bom: { label: text(m.bom_label), help: text(m.bom_help) },
      })}
    </>
  ) as Content
}
