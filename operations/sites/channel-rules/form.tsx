/** The form of a channel rule: a channel, the conditions of its visits, and how many visits of the last 30 days meet them. */
import type { Content } from '../../../runtime/table/page.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import type { Suggestions } from '../../../runtime/ui/fields/suggestions.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { arrivalDimensions } from '../../../storage/hits/arrivals.ts'
import { knownValues, segmentPreview } from '../sites/records.ts'
import { channelNames, m } from './messages.ts'

type Fields = Readonly<Record<string, unknown>>

export async function channelRuleFields(parts: FormParts<'channel' | 'match' | 'conditions' | 'position'>): Promise<Content> {
  const { reader, page } = parts
  const values = parts.begin({ conditions: [{ field: 'utm_source', operator: 'is' }] })
  const siteId = page.siteId ?? ''
  const conditions = (Array.isArray(values.conditions) ? values.conditions : []).map((each): Fields => (isObject(each) ? each : {}))
  const dimensionOf = ({ field }: Fields): string => (typeof field === 'string' && field !== '' ? field : 'source')
  const [known, preview] = await Promise.all([
    Promise.all(
      conditions.map(
        (each): Promise<Suggestions | undefined> =>
          page.fill(knownValues, { siteId, dimension: dimensionOf(each), text: typeof each.value === 'string' ? each.value : undefined }),
      ),
    ),
    previewOf(),
  ])
  async function previewOf(): Promise<Content | undefined> {
    const triples = conditions.flatMap(({ field, operator, value }) =>
      typeof value === 'string' && value !== '' ? [[String(field ?? 'source'), String(operator ?? 'is'), value] as const] : [],
    )
    if (triples.length === 0 || triples.length < conditions.length) return undefined
    return page.fill(segmentPreview, { siteId, filters: values.match === 'any' && triples.length > 1 ? [{ any: triples }] : triples })
  }
  const match = () =>
    parts.slot('match', {
      options: [
        ['all', say(reader, m.all_of_these)],
        ['any', say(reader, m.one_of_these)],
      ],
      isLeading: true,
    })
  return (
    <>
      {parts.field('channel', {
        label: say(reader, m.channel_label),
        help: say(reader, m.channel_help),
        suggestions: { values: Object.values(channelNames).map(name => ({ value: name.english, label: say(reader, name) })) },
      })}
      {parts.sentence(sayParts<Content, typeof m.visits_with.english>(reader, m.visits_with, { match: match() }))}
      {parts.list('conditions', {
        label: say(reader, m.its_visits),
        help: '',
        add: say(reader, m.add_condition),
        first: 1,
        draw: ({ index, choice, field }) =>
          (
            <div class="triple">
              {choice('field', {
                label: say(reader, m.part_of_visit),
                options: arrivalDimensions.map(name => [name, fieldWords(name, reader)] as const),
                isWanted: true,
              })}
              {field('operator', { label: say(reader, m.comparison), isWanted: true })}
              {field('value', { isWanted: true, suggestions: known[index] })}
            </div>
          ) as Content,
      })}
      {parts.live('preview', preview)}
      {parts.more(undefined, { position: { help: say(reader, m.position_help) } })}
    </>
  ) as Content
}

/** The days whose visits get the channels of the rules as they are now. */
export const applyFields = (parts: FormParts<'from' | 'to'>): Content =>
  (
    <>
      <p class="help">{say(parts.reader, m.apply_help)}</p>
      <div class="pair">
        {parts.field('from', { label: say(parts.reader, m.first_day), help: '' })}
        {parts.field('to', { label: say(parts.reader, m.last_day), help: '' })}
      </div>
    </>
  ) as Content
