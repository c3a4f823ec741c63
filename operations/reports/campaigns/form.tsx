/** Forms of campaigns and of their links. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { knownValues, Site } from '../../sites/sites/records.ts'
import { m } from './messages.ts'
import { tagged, tagNames } from './tagged.ts'

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A campaign: the tag that its visits have, and its cost. */
export async function campaignFields(
  parts: FormParts<'name' | 'utm_campaign' | 'starts_on' | 'ends_on' | 'cost_cents' | 'goal_id'>,
): Promise<Content> {
  const { reader, page, values, isNew, choices } = parts
  const tag = textIn(values.utm_campaign)
  const known = await page.fill(knownValues, { siteId: page.siteId ?? '', dimension: 'utm_campaign', text: tag })
  const hasGoals = (choices.get('goal_id') ?? []).length > 0
  if (!hasGoals) parts.without('goal_id')
  return (
    <>
      {parts.field('utm_campaign', { label: say(reader, m.tag_label), help: say(reader, m.tag_help), suggestions: known })}
      {parts.field('name', { help: '', proposed: isNew ? tag : undefined })}
      <div class="pair">
        {parts.field('starts_on', { help: '' })}
        {parts.field('ends_on', { help: '' })}
      </div>
      {parts.field('cost_cents', { help: say(reader, m.cost_help) })}
      {hasGoals && parts.field('goal_id', { label: say(reader, m.goal_label), help: '', blank: say(reader, m.no_goal_chosen) })}
    </>
  ) as Content
}

type LinkField = 'url' | (typeof tagNames)[number] | 'slug'

/** A link with tags, and the address that it becomes. */
export async function campaignLinkFields(parts: FormParts<LinkField>): Promise<Content> {
  const { reader, page } = parts
  const site = page.within(Site)
  const values = parts.begin({ url: site && `https://${site.domain}/` })
  const known = Object.fromEntries(
    await Promise.all(
      tagNames.map(
        async name =>
          [name, await page.fill(knownValues, { siteId: page.siteId ?? '', dimension: name, text: textIn(values[name]) })] as const,
      ),
    ),
  )
  const field = (name: (typeof tagNames)[number], label: string, placeholder: string): Content =>
    parts.field(name, { label, help: '', placeholder, suggestions: known[name] })
  const address = addressOf(values)
  return (
    <>
      {parts.field('url', { label: say(reader, m.page_label), help: say(reader, m.page_help) })}
      <div class="pair">
        {field('utm_source', say(reader, m.source_label), 'newsletter')}
        {field('utm_medium', say(reader, m.medium_label), 'email')}
      </div>
      {field('utm_campaign', say(reader, m.campaign_label), 'spring-sale')}
      {parts.live(
        'address',
        address === undefined
          ? undefined
          : ((
              <>
                <p class="help">{say(reader, m.becomes)}</p>
                <Code content={address} reader={reader} />
              </>
            ) as Content),
      )}
      {parts.more(undefined, {
        utm_content: { label: say(reader, m.content_label), help: '', suggestions: known.utm_content },
        utm_term: { label: say(reader, m.term_label), help: '', suggestions: known.utm_term },
        slug: { label: say(reader, m.slug_label), help: say(reader, m.slug_help) },
      })}
    </>
  ) as Content
}

/** The address with the typed tags; undefined without a tag, or if it is none. */
function addressOf(values: Readonly<Record<string, unknown>>): string | undefined {
  const url = textIn(values.url)
  const tags = Object.fromEntries(tagNames.map(name => [name, textIn(values[name]) || null])) as Record<
    (typeof tagNames)[number],
    string | null
  >
  return URL.canParse(url) && Object.values(tags).some(each => each !== null) ? tagged({ url, ...tags }) : undefined
}
