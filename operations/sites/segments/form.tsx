/** The form of a segment: conditions with known values, and how many visitors they have. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { conditionWords } from '../../../runtime/ui/conditions.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { segmentPreview } from '../sites/records.ts'
import { knownIn } from './components.tsx'
import { m } from './messages.ts'

const maxNameLength = 200

export async function segmentFields(parts: FormParts<'name' | 'filters'>): Promise<Content> {
  const { reader, page, values, isNew } = parts
  const filters: readonly unknown[] = Array.isArray(values.filters) ? values.filters : []
  const [known, preview] = await Promise.all([knownIn(filters, page), page.fill(segmentPreview, { siteId: page.siteId ?? '', filters })])
  const words = filters.filter(each => Array.isArray(each) && each[2] !== '' && each[0] !== '').map(each => conditionWords(each, reader))
  return (
    <>
      {parts.list('filters', { label: say(reader, m.visitors_where), help: '', add: say(reader, m.add_condition), known })}
      {parts.live('preview', preview)}
      {parts.field('name', { help: '', proposed: isNew ? words.join(', ').slice(0, maxNameLength) : undefined })}
    </>
  ) as Content
}
