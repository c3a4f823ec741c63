/** The form of a goal: a page or an event, and a property that it may need. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { knownValues } from '../sites/records.ts'
import type { goalInput } from './fields.ts'
import { m } from './messages.ts'
import { goalPreview } from './records.ts'

export async function goalFields(parts: FormParts<keyof typeof goalInput>): Promise<Content> {
  const { reader, page, isNew } = parts
  const values = parts.begin({ kind: 'page' })
  const isEvent = values.kind === 'event'
  const textOf = (name: keyof typeof goalInput): string => (typeof values[name] === 'string' ? values[name] : '')
  const siteId = page.siteId ?? ''
  const [path, event, property] = [textOf('path'), textOf('event'), textOf('property')]
  const filters = isEvent && event !== '' ? [['event', 'is', event] as const] : undefined
  const known = (dimension: string, text: string) =>
    page.fill(knownValues, { siteId, dimension, text, filters: dimension === 'event' ? undefined : filters })
  const [own, properties, ofProperty, preview] = await Promise.all([
    isEvent ? known('event', event) : known('page', path),
    known('property', property),
    property === '' ? undefined : known(`property:${property}`, textOf('value')),
    page.fill(goalPreview, { siteId, given: values }),
  ])
  parts.without(isEvent ? 'path' : 'event')
  return (
    <>
      {parts.kinds('kind', [
        { value: 'page', icon: 'page', label: say(reader, m.kind_page), help: say(reader, m.kind_page_help) },
        { value: 'event', icon: 'event', label: say(reader, m.kind_event), help: say(reader, m.kind_event_help) },
      ])}
      {isEvent
        ? parts.field('event', { help: say(reader, m.event_help), suggestions: own, isWanted: true })
        : parts.field('path', { help: say(reader, m.path_help), suggestions: own, isWanted: true, placeholder: '/' })}
      {parts.live('preview', preview)}
      {parts.field('name', { help: '', proposed: isNew ? (isEvent ? event : path) : undefined })}
      {parts.more(say(reader, m.only_with), {
        property: { help: '', suggestions: properties },
        value: { suggestions: ofProperty },
      })}
    </>
  ) as Content
}
