/** The form of a traffic rule: which hits, whether they are dropped, and what that takes away from the last 30 days. */
import type { Content } from '../../../runtime/table/page.ts'
import { networkKinds } from '../../../storage/engine/vocabulary/networks.ts'
import { valueIn } from '../../../runtime/texts/code-names.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import type { Reader } from '../../../runtime/texts/reader.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import type { FieldWords } from '../../../runtime/ui/fields/field-words.ts'
import type { FormParts, KindCard } from '../../../runtime/ui/form-layout.ts'
import { knownValues, segmentPreview } from '../sites/records.ts'
import { m } from './messages.ts'
import { type Kind, kinds } from './records.ts'
import { readValue } from './value.ts'

type Field = 'kind' | 'action' | 'value' | 'note' | 'enabled' | 'expires_at'

interface KindWords {
  readonly icon: KindCard['icon']
  readonly label: PlainMessage
  /** Label and help of the value. */
  readonly value: PlainMessage
  readonly help?: PlainMessage
  readonly placeholder?: string
  /** The dimension of reports with the same values. An address and a user agent are not stored, so they have none. */
  readonly dimension?: string
}
const words: Readonly<Record<Kind, KindWords>> = {
  ip: { icon: 'network', label: m.kind_ip, value: m.value_ip, help: m.value_ip_help, placeholder: '203.0.113.0/24' },
  network_kind: {
    icon: 'server',
    label: m.kind_network_kind,
    value: m.kind_network_kind,
    help: m.value_network_kind_help,
    dimension: 'network_kind',
  },
  asn: { icon: 'network', label: m.kind_asn, value: m.value_asn, help: m.value_asn_help, placeholder: 'AS3320' },
  country: { icon: 'globe', label: m.kind_country, value: m.value_country, dimension: 'country' },
  region: {
    icon: 'place',
    label: m.kind_region,
    value: m.value_region,
    help: m.value_region_help,
    placeholder: 'DE-BE',
    dimension: 'region',
  },
  page: { icon: 'page', label: m.kind_page, value: m.value_page, help: m.any_text, placeholder: '/preview/*', dimension: 'page' },
  referrer: {
    icon: 'source',
    label: m.kind_referrer,
    value: m.value_referrer,
    help: m.any_text,
    placeholder: 'spam.example/*',
    dimension: 'referrer',
  },
  hostname: {
    icon: 'server',
    label: m.kind_hostname,
    value: m.value_hostname,
    help: m.any_text,
    placeholder: '*.example.com',
    dimension: 'hostname',
  },
  event: { icon: 'event', label: m.kind_event, value: m.value_event, help: m.any_text, dimension: 'event' },
  user_agent: { icon: 'crawler', label: m.kind_user_agent, value: m.value_user_agent, help: m.any_text, placeholder: '*HeadlessChrome*' },
}
const order = Object.keys(words) as Kind[] // a literal's own keys

export async function ruleFields(parts: FormParts<Field>): Promise<Content> {
  const { reader, page, isNew } = parts
  const values = parts.begin({ kind: 'ip', action: 'block' })
  const kind = kinds.find(each => each === values.kind) ?? 'ip'
  const text = typeof values.value === 'string' ? values.value : ''
  const { dimension, ...said } = words[kind]
  const siteId = page.siteId ?? ''
  const chosen = choices[kind]
  const given: FieldWords = { label: say(reader, said.value), help: said.help ? say(reader, said.help) : '', placeholder: said.placeholder }
  const filter = conditionOf(kind, text)
  const [suggestions, preview] = await Promise.all([
    dimension === undefined || Object.hasOwn(choices, kind) ? undefined : page.fill(knownValues, { siteId, dimension, text }),
    filter && page.fill(segmentPreview, { siteId, filters: [filter], isLeftOut: values.action !== 'allow' }),
  ])
  const action = parts.slot('action', {
    options: [
      ['block', say(reader, m.are_dropped)],
      ['allow', say(reader, m.only_they_count)],
    ],
    isLeading: true,
  })
  if (isNew) parts.without('enabled')
  return (
    <>
      {parts.kinds(
        'kind',
        order.map(each => ({ value: each, icon: words[each].icon, label: say(reader, words[each].label) })),
        { label: say(reader, m.hits_by) },
      )}
      {chosen
        ? parts.field('value', { ...given, options: chosen(reader), isLeading: true })
        : parts.field('value', { ...given, suggestions })}
      {parts.sentence(sayParts<Content, typeof m.such_hits.english>(reader, m.such_hits, { action }))}
      {parts.live('preview', preview)}
      {parts.field('note', { help: '', placeholder: say(reader, m.note_placeholder) })}
      {parts.more(undefined, { expires_at: { label: say(reader, m.until), help: say(reader, m.until_help) } })}
    </>
  ) as Content
}

/** The condition of reports that such hits meet; undefined for patterns that reports do not know. */
function conditionOf(kind: Kind, text: string): readonly [string, string, string] | undefined {
  const { dimension } = words[kind]
  const read = text === '' ? undefined : readValue(kind, text)
  if (dimension === undefined || !read || !('value' in read)) return undefined
  const { value } = read
  const inner = value.replace(/^\*|\*$/g, '')
  if (inner === '' || inner.includes('*')) return undefined
  if (!value.includes('*')) return [dimension, 'is', value]
  if (value.startsWith('*')) return value.endsWith('*') ? [dimension, 'contains', inner] : undefined
  return [dimension, 'starts_with', inner]
}

/** Kinds whose values are chosen from a list. */
const choices: Readonly<Partial<Record<Kind, (reader: Reader) => readonly (readonly [value: string, name: string])[]>>> = {
  country: countries,
  network_kind: reader => networkKinds.map(kind => [kind, valueIn('network_kind', kind, reader)] as const),
}

const codes = new Map<string, readonly (readonly [code: string, name: string])[]>()
/** Countries by their names. */
function countries({ locale }: Reader): readonly (readonly [code: string, name: string])[] {
  const known = codes.get(locale)
  if (known) return known
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const found = letters
    .flatMap(first => letters.map(second => first + second))
    .flatMap(code => {
      const name = readValue('country', code)
      const called = names.of(code)
      return 'value' in name && called !== undefined ? [[code, called] as const] : []
    })
    .sort(([, a], [, b]) => a.localeCompare(b, locale))
  codes.set(locale, found)
  return found
}
