/** The form of a webhook: where events are sent, and which. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { m } from './messages.ts'

export function webhookFields(parts: FormParts<'url' | 'events' | 'enabled'>): Content {
  const { reader, isNew } = parts
  if (isNew) parts.without('enabled')
  return (
    <>
      {parts.field('url', { label: say(reader, m.url_label), help: say(reader, m.url_help), placeholder: 'https://' })}
      {parts.field('events', { label: say(reader, m.events_label), help: '' })}
      {parts.rest()}
    </>
  ) as Content
}
