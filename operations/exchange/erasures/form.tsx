/** The form of an erasure: the period, the conditions, what it deletes in figures, and what that means. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { Site } from '../../sites/sites/records.ts'
import { knownIn } from '../../sites/segments/components.tsx'
import { Forecast } from './forecast.tsx'
import { m } from './messages.ts'
import { visits_erase_preview } from './operations.ts'

type Period = 'period' | 'from' | 'to'

export async function eraseFields(parts: FormParts<Period | 'filters' | 'segment_id' | 'value' | 'confirm'>): Promise<Content> {
  const { reader, page } = parts
  const values = parts.begin({ period: '30d' })
  const filters: readonly unknown[] = Array.isArray(values.filters) ? values.filters : []
  const period = periodFields(parts, values)
  const segment_id = typeof values.segment_id === 'string' && values.segment_id !== '' ? values.segment_id : undefined
  const value = typeof values.value === 'string' && values.value !== '' ? values.value : undefined
  const [known, preview] = await Promise.all([
    knownIn(filters, page),
    previewOf(parts, {
      ...periodOf(values),
      filters: filters.filter(isComplete),
      ...(segment_id && { segment_id }),
      ...(value && { value }),
    }),
  ])
  return (
    <>
      {period}
      {parts.list('filters', {
        label: say(reader, m.which_where),
        help: say(reader, m.which_help),
        add: say(reader, m.add_condition),
        known,
      })}
      {parts.field('segment_id', { help: '', isLeading: true })}
      {parts.field('value', { label: say(reader, m.value_label), isLeading: true })}
      {parts.live('preview', preview)}
      {consequences(parts)}
    </>
  ) as Content
}

export async function applyFields(parts: FormParts<Period | 'confirm'>): Promise<Content> {
  const values = parts.begin({ period: '30d' })
  const id = /\/traffic_rules\/(\w+)/.exec(parts.page.url.pathname)?.[1] ?? ''
  const period = periodFields(parts, values)
  const preview = await previewOf(parts, { ...periodOf(values), traffic_rule_id: id })
  return (
    <>
      {period}
      {parts.live('preview', preview)}
      {consequences(parts)}
    </>
  ) as Content
}

type Values = Readonly<Record<string, unknown>>

function periodFields(parts: FormParts<Period>, { period }: Values): Content {
  const isCustom = period === 'custom'
  if (!isCustom) parts.without('from', 'to')
  return (
    <>
      {parts.field('period', { help: '', isLeading: true })}
      {isCustom && (
        <div class="two">
          {parts.field('from', { help: '', isLeading: true })}
          {parts.field('to', { help: '', isLeading: true })}
        </div>
      )}
    </>
  ) as Content
}

function periodOf({ period, from, to }: Values) {
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { period: textOf(period) ?? '30d', from: textOf(from), to: textOf(to) }
}

/** A condition that is still typed has no value yet. */
const isComplete = (condition: unknown): boolean =>
  !Array.isArray(condition) || (condition.length === 3 && condition[0] !== '' && condition[2] !== '')

async function previewOf(
  { page }: FormParts<never>,
  given: ReturnType<typeof periodOf> & { filters?: readonly unknown[]; segment_id?: string; value?: string; traffic_rule_id?: string },
): Promise<Content | undefined> {
  if (given.period === 'custom' && (given.from === undefined || given.to === undefined)) return undefined
  const found = await page.ask(visits_erase_preview, { site_id: page.siteId ?? '', ...given, filters: [...(given.filters ?? [])] as never })
  if (!found) return undefined
  return (<Forecast of={found} viewer={page.viewer} />) as Content
}

function consequences(parts: FormParts<'confirm'>): Content {
  const { reader, page } = parts
  return (
    <>
      <h2>{say(reader, m.consequences)}</h2>
      <ul class="sentences">
        <li>{say(reader, m.consequence_for_good)}</li>
        <li>{say(reader, m.consequence_reports)}</li>
        <li>{say(reader, m.consequence_later)}</li>
      </ul>
      {parts.field('confirm', { label: say(reader, m.type_domain, { domain: page.within(Site)?.domain ?? '' }), help: '' })}
    </>
  ) as Content
}
