/** The form of a new site: its domain, and the calendar and the money of its reports, which begin as the workspace says. */
import type { Content } from '../../../runtime/table/page.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { WorkspaceSettings } from '../../people/workspaces/index.ts'
import { m } from './messages.ts'

type Field = 'domain' | 'name' | 'timezone' | 'currency' | 'public' | 'week_start' | 'umami_id'

export async function siteFields(parts: FormParts<Field>): Promise<Content> {
  const { reader, page } = parts
  const usual = await page.ask(WorkspaceSettings)
  const values = parts.begin({ timezone: usual?.default_timezone, currency: usual?.default_currency, week_start: usual?.week_start })
  const domain = typeof values.domain === 'string' ? values.domain.replace(/^https?:\/\/(www\.)?|^www\./, '').replace(/\/.*$/, '') : ''
  return (
    <>
      {parts.field('domain', { help: say(reader, m.domain_help), placeholder: 'example.com' })}
      {parts.field('name', { help: '', proposed: domain })}
      {parts.sentence(
        sayParts<Content, typeof m.calendar_of_site.english>(reader, m.calendar_of_site, {
          timezone: parts.slot('timezone', { isOfBrowser: usual?.default_timezone === 'UTC' }),
          weekday: parts.slot('week_start'),
          currency: parts.slot('currency'),
        }),
      )}
      {parts.more(undefined, {
        public: { label: say(reader, m.public_label), help: say(reader, m.public_help) },
        umami_id: { label: say(reader, m.umami_label), help: say(reader, m.umami_help) },
      })}
    </>
  ) as Content
}
