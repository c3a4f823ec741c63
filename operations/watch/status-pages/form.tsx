/** The form of a status page: its name, and the checks that it shows. Only public checks are offered. */
import type { Content } from '../../../runtime/table/page.ts'
import { languages } from '../../../runtime/texts/reader.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import { Workspace } from '../../people/workspaces/records.ts'
import { CheckAvailability } from '../../reports/availability/records.ts'
import { m } from './messages.ts'

type Field =
  | 'name'
  | 'slug'
  | 'domain'
  | 'description'
  | 'groups'
  | 'show_response_times'
  | 'theme'
  | 'indexable'
  | 'auto_incidents'
  | 'language'
  | 'timezone'

export async function statusPageFields(parts: FormParts<Field>): Promise<Content> {
  const { reader, page, isNew } = parts
  const checks = (await page.ask(listOf(CheckAvailability), { per_page: 100 })) ?? []
  const open = checks.filter(each => each.public)
  const kept = new Set(JSON.stringify(parts.values.groups ?? []).match(/\w+_\w{20,}/g) ?? [])
  parts.offer(
    'check_id',
    checks.filter(each => each.public || kept.has(each.id)).map(({ id, name }) => ({ id, name })),
  )
  parts.begin({
    groups: open.length > 0 ? [{ name: say(reader, m.first_group), checks: open.map(({ id }) => ({ check_id: id })) }] : [],
    language: languages.find(each => each === reader.locale),
    timezone: page.viewer.timezone,
  })
  const lists = page.pathOf(listOf(CheckAvailability))
  return (
    <>
      {parts.field('name', { label: say(reader, m.name_label), help: '', proposed: isNew ? page.within(Workspace)?.name : undefined })}
      {open.length === 0 ? (
        <>
          {parts.without('groups')}
          <p class="notice">
            {say(reader, checks.length === 0 ? m.no_checks : m.no_public_check)}{' '}
            {lists !== undefined && <a href={lists}>{say(reader, m.to_checks)}</a>}
          </p>
        </>
      ) : (
        parts.list('groups', {
          label: say(reader, m.what_it_shows),
          help: open.length < checks.length ? say(reader, m.only_public) : '',
          add: say(reader, m.add_group),
          draw: ({ field }) =>
            (
              <>
                {field('name', { label: say(reader, m.group_name), isWanted: true })}
                {field('checks', { label: say(reader, m.its_checks), add: say(reader, m.add_check), isRows: true })}
              </>
            ) as Content,
        })
      )}
      {parts.field('auto_incidents', { label: say(reader, m.auto_label), help: say(reader, m.auto_help) })}
      {parts.more(undefined, {
        slug: { label: say(reader, m.slug_label), help: isNew ? say(reader, m.slug_help) : say(reader, m.slug_change_help) },
        domain: { label: say(reader, m.domain_label), help: say(reader, m.domain_help), placeholder: 'status.example.com' },
        description: { help: say(reader, m.description_help) },
        show_response_times: { help: '' },
        theme: { help: '' },
        indexable: { label: say(reader, m.indexable_label), help: '' },
        language: { help: say(reader, m.language_help) },
        timezone: { help: '' },
      })}
    </>
  ) as Content
}
