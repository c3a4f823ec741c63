/** The form of an e-mail report: how often, of which sites, to whom. */
import type { Content } from '../../../runtime/table/page.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { m } from './messages.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

type Field =
  | 'name'
  | 'site_ids'
  | 'frequency'
  | 'hour'
  | 'recipients'
  | 'segment_id'
  | 'panels'
  | 'goal_ids'
  | 'locale'
  | 'skip_empty'
  | 'enabled'
const hours = Array.from({ length: 24 }, (_, hour) => hour)

export function reportFields(parts: FormParts<Field>): Content {
  const { reader, page, choices, isNew } = parts
  const sites = choices.get('site_id') ?? choices.get('site_ids') ?? []
  const [onlySite] = sites.length === 1 ? sites : []
  const values = parts.begin({ site_ids: page.siteId === undefined ? onlySite && [onlySite.id] : [page.siteId] })
  const chosen = Array.isArray(values.site_ids) ? sites.filter(({ id }) => (values.site_ids as readonly unknown[]).includes(id)) : []
  const clock = new Intl.DateTimeFormat(reader.locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  const slots = {
    frequency: parts.slot('frequency'),
    hour: parts.slot('hour', { options: hours.map(hour => [String(hour), clock.format(hour * HOUR_MS)] as const) }),
  }
  const frequency = valueWords(values.frequency, reader)
  const name =
    chosen.length === 0
      ? ''
      : say(reader, m.proposed_name, {
          site: chosen
            .map(each => each.name)
            .join(', ')
            .slice(0, 60),
          frequency,
        })
  return (
    <>
      {parts.sentence(sayParts<Content, typeof m.mail_report.english>(reader, m.mail_report, slots))}
      <p class="help">{say(reader, m.hour_zone)}</p>
      {parts.field('site_ids', { help: '' })}
      {parts.field('recipients', { isRows: true, add: say(reader, m.add_recipient) })}
      {parts.field('name', { proposed: isNew ? name : undefined })}
      {parts.more()}
    </>
  ) as Content
}
