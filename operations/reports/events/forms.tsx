/** The forms of an event: its name among the events of the site, then what changes. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { Suggestions } from '../../../runtime/ui/fields/suggestions.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { knownValues } from '../../sites/sites/records.ts'
import { m } from './messages.ts'

const eventsOf = ({ page }: Pick<FormParts<never>, 'page'>, text: unknown): Promise<Suggestions | undefined> =>
  page.fill(knownValues, { siteId: page.siteId ?? '', dimension: 'event', text: typeof text === 'string' ? text : '' })

export async function changeFields(parts: FormParts<'name' | 'display_name' | 'hidden' | 'currency'>): Promise<Content> {
  const { reader, values } = parts
  const suggestions = await eventsOf(parts, values.name)
  return (
    <>
      {parts.field('name', { label: say(reader, m.which_event), help: '', suggestions })}
      {parts.field('display_name', { label: say(reader, m.shown_as), help: say(reader, m.shown_as_help) })}
      {parts.field('hidden', { label: say(reader, m.left_out), help: say(reader, m.left_out_help) })}
      {parts.field('currency', { help: say(reader, m.currency_help) })}
    </>
  ) as Content
}

export async function mergeFields(parts: FormParts<'names' | 'into'>): Promise<Content> {
  const { reader } = parts
  const known = await eventsOf(parts, '')
  const options = known && !known.hasMore ? known.values.map(({ value }) => [value, value] as const) : []
  return (
    <>
      {options.length > 1
        ? parts.field('names', { label: say(reader, m.which_events), help: '', options })
        : parts.field('names', { label: say(reader, m.which_events), help: '', isRows: true, add: say(reader, m.add_event) })}
      {parts.field('into', { label: say(reader, m.one_name), help: say(reader, m.one_name_help) })}
    </>
  ) as Content
}

export async function deleteFields(parts: FormParts<'name' | 'confirm'>): Promise<Content> {
  const { reader, values } = parts
  return (
    <>
      {parts.field('name', {
        label: say(reader, m.which_event),
        help: say(reader, m.delete_help),
        suggestions: await eventsOf(parts, values.name),
      })}
      {parts.field('confirm', { label: say(reader, m.name_again), help: '' })}
    </>
  ) as Content
}
