/** The form of an import: the product, its file, and the reports that show its history. */
import type { Content } from '../../../runtime/table/page.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts, KindCard } from '../../../runtime/ui/form-layout.ts'
import { Site } from '../../sites/sites/records.ts'
import { m } from './messages.ts'
import { overlaps } from './records.ts'
import { type SourceName, sourceOf } from './sources/index.ts'

type Field = 'source' | 'filename' | 'url' | 'map' | 'timezone' | 'from' | 'to' | 'dry_run' | 'overlap'

interface SourceWords extends Pick<KindCard, 'icon' | 'mark'> {
  readonly name: string
  /** Which file it is. */
  readonly file: PlainMessage
}
const words: Readonly<Record<SourceName, SourceWords>> = {
  plausible: { name: 'Plausible', mark: 'Plausible', file: m.file_plausible },
  umami: { name: 'Umami', mark: 'Umami', file: m.file_umami },
  ga4_report: { name: 'Google Analytics 4', mark: 'Google Analytics', file: m.file_ga4_report },
  ga4_bigquery: { name: 'GA4 · BigQuery', mark: 'BigQuery', file: m.file_ga4_bigquery },
  matomo: { name: 'Matomo', mark: 'Matomo', file: m.file_matomo },
  fathom: { name: 'Fathom', mark: 'Fathom', file: m.file_fathom },
  simple_analytics: { name: 'Simple Analytics', mark: 'Simple Analytics', file: m.file_simple_analytics },
  goatcounter_csv: { name: 'GoatCounter · CSV', mark: 'GoatCounter', file: m.file_goatcounter_csv },
  goatcounter_json: { name: 'GoatCounter · JSON', mark: 'GoatCounter', file: m.file_goatcounter_json },
  access_log: { name: 'nginx · Apache · Caddy · CDN', icon: 'server', file: m.file_access_log },
  footfall: { name: 'Footfall · CSV', icon: 'file', file: m.file_footfall },
}
const order = Object.keys(words) as SourceName[] // a literal's own keys

const overlapWords: Readonly<Record<(typeof overlaps)[number], PlainMessage>> = {
  refuse: m.overlap_refuse,
  skip: m.overlap_skip,
  replace: m.overlap_replace,
  add: m.overlap_add,
}

export function importFields(parts: FormParts<Field>): Content {
  const { reader, page } = parts
  const values = parts.begin({ source: 'plausible', timezone: page.within(Site)?.timezone })
  const source = order.find(each => each === values.source) ?? 'plausible'
  const isOurs = source === 'footfall'
  const isHits = sourceOf(source)?.kind === 'hits'
  if (!isOurs) parts.without('map')
  return (
    <>
      {parts.kinds(
        'source',
        order.map(each => {
          const { icon, mark, name } = words[each]
          return { value: each, label: name, ...(icon && { icon }), ...(mark && { mark }) }
        }),
        { label: say(reader, m.from_which) },
      )}
      <p>{say(reader, words[source].file)}</p>
      <p class="help">{say(reader, isHits ? m.brings_hits : m.brings_totals)}</p>
      {parts.field('filename', { help: say(reader, m.file_help) })}
      {parts.field('dry_run', { label: say(reader, m.dry_label), help: say(reader, m.dry_help) })}
      {parts.more(say(reader, m.more_of_import), {
        url: { label: say(reader, m.url_label), help: say(reader, m.url_help), placeholder: 'https://' },
        map: { label: say(reader, m.columns_label), help: say(reader, m.columns_help) },
        timezone: { help: say(reader, m.timezone_help) },
        from: { help: say(reader, m.days_help) },
        to: { help: '' },
        overlap: {
          label: say(reader, m.overlap_label),
          help: '',
          isWanted: true,
          options: overlaps.filter(each => each !== 'add' || isHits).map(each => [each, say(reader, overlapWords[each])] as const),
        },
      })}
    </>
  ) as Content
}
