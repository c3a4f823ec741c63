/** The form of a goal: its kind as cards, what completes it, and what that is worth. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { knownValues } from '../sites/records.ts'
import { fieldsOf } from './condition.ts'
import type { goalInput } from './fields.ts'
import { m } from './messages.ts'
import { goalPreview, type Kind, kinds } from './records.ts'

type Field = keyof typeof goalInput

/** The fields of a kind that a form always shows. Others are behind a heading. */
const shown: Readonly<Record<Kind, readonly Field[]>> = {
  page: ['path'],
  event: ['event'],
  scroll: ['depth', 'path'],
  duration: ['duration_seconds', 'path'],
  click: ['selector', 'event'],
}
const everyField: readonly Field[] = Object.values(fieldsOf).flat()

export async function goalFields(parts: FormParts<Field>): Promise<Content> {
  const { reader, page, isNew } = parts
  const values = parts.begin({ kind: 'page' })
  const kind = kinds.find(each => each === values.kind) ?? 'page'
  const own = shown[kind]
  const more: readonly Field[] = fieldsOf[kind].filter(name => !own.includes(name))
  const textOf = (name: Field): string => (typeof values[name] === 'string' ? values[name] : '')
  const siteId = page.siteId ?? ''
  const [path, event, property] = [textOf('path'), textOf('event'), textOf('property')]
  const filters = kind === 'event' && event !== '' ? [['event', 'is', event] as const] : undefined
  const known = (dimension: string, text: string) =>
    page.fill(knownValues, { siteId, dimension, text, filters: dimension === 'event' ? undefined : filters })
  const [pages, events, properties, ofProperty, preview] = await Promise.all([
    own.includes('path') ? known('page', path) : undefined,
    kind === 'event' ? known('event', event) : undefined,
    more.includes('property') ? known('property', property) : undefined,
    property === '' ? undefined : known(`property:${property}`, textOf('value')),
    page.fill(goalPreview, { siteId, given: values }),
  ])
  parts.without(...new Set(everyField.filter(name => !own.includes(name) && !more.includes(name))))
  const isWanted = kind === 'page' || kind === 'event'
  const draw: Readonly<Partial<Record<Field, () => Content>>> = {
    path: () =>
      parts.field('path', {
        help: say(reader, kind === 'duration' ? m.path_of_duration : kind === 'scroll' ? m.path_of_scroll : m.path_help),
        suggestions: pages,
        placeholder: '/',
        ...(kind === 'page' && textOf('regex') === '' && { isWanted: true }),
      }),
    event: () =>
      parts.field('event', {
        help: say(reader, kind === 'click' ? m.click_event_help : m.event_help),
        suggestions: events,
        ...(kind === 'event' && { isWanted: true }),
      }),
    depth: () => parts.field('depth', { help: say(reader, m.depth_help), isWanted: true }),
    duration_seconds: () => parts.field('duration_seconds', { help: say(reader, m.duration_help), isWanted: true }),
    selector: () => parts.field('selector', { help: say(reader, m.selector_help), placeholder: '.hero a', isWanted: true }),
  }
  return (
    <>
      {parts.kinds('kind', [
        { value: 'page', icon: 'page', label: say(reader, m.kind_page), help: say(reader, m.kind_page_help) },
        { value: 'event', icon: 'event', label: say(reader, m.kind_event), help: say(reader, m.kind_event_help) },
        { value: 'scroll', icon: 'scroll', label: say(reader, m.kind_scroll), help: say(reader, m.kind_scroll_help) },
        { value: 'duration', icon: 'clock', label: say(reader, m.kind_duration), help: say(reader, m.kind_duration_help) },
        { value: 'click', icon: 'click', label: say(reader, m.kind_click), help: say(reader, m.kind_click_help) },
      ])}
      {own.map(name => draw[name]?.())}
      {parts.live('preview', preview)}
      {parts.field('name', { help: '', proposed: isNew && isWanted ? (kind === 'event' ? event : path) : undefined })}
      {parts.more(say(reader, more.length > 1 ? m.only_with : m.more_fields), {
        property: { help: '', suggestions: properties },
        value: { suggestions: ofProperty },
        properties: { label: say(reader, m.more_properties), add: say(reader, m.add_property) },
        value_amount: { label: say(reader, m.worth_each) },
        value_property: { label: say(reader, m.worth_in_property), suggestions: properties },
      })}
    </>
  ) as Content
}
