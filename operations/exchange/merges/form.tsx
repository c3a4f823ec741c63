/** The form of a merge: the other site, what moves in figures, and what that means. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { Site } from '../../sites/sites/records.ts'
import { m } from './messages.ts'
import { sites_merge_preview } from './operations.ts'

export async function mergeFields(parts: FormParts<'into_site_id' | 'confirm'>): Promise<Content> {
  const { reader, page, values } = parts
  const { siteId = '' } = page
  const domain = page.within(Site)?.domain ?? ''
  const id = typeof values.into_site_id === 'string' && values.into_site_id !== '' ? values.into_site_id : undefined
  const found = id && (await page.ask(sites_merge_preview, { site_id: siteId, into_site_id: id }))
  const peopleOf = ({ people, people_left: left }: { readonly people: number; readonly people_left: number }) =>
    left > 0 ? say(reader, m.people_stay, { people: left }) : people > 0 ? say(reader, m.people_move, { people }) : ''
  const preview = found
    ? `${say(reader, m.preview, { visits: found.visits, days: found.days, both: found.shared_days })} ${peopleOf(found)}`.trim()
    : undefined
  return (
    <>
      {parts.field('into_site_id', { label: say(reader, m.into), help: '', isLeading: true })}
      {parts.live('preview', preview && ((<p class="forecast">{preview}</p>) as Content))}
      <h2>{say(reader, m.consequences)}</h2>
      <ul class="sentences">
        <li>{say(reader, m.consequence_for_good)}</li>
        <li>{say(reader, m.consequence_names, { domain })}</li>
        <li>{say(reader, m.consequence_records, { domain })}</li>
      </ul>
      {parts.field('confirm', { label: say(reader, m.type_domain, { domain }), help: '' })}
    </>
  ) as Content
}
