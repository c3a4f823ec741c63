/** The form of an alert: what it watches as a sentence with slots, which depends on the kind. */
import type { Content } from '../../../runtime/table/page.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import type { Reader } from '../../../runtime/texts/reader.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import type { ChoiceOption } from '../../../runtime/ui/fields/select.tsx'
import type { FormParts, KindCard } from '../../../runtime/ui/form-layout.ts'
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import { listOf } from '../../../runtime/ui/view.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { CheckAvailability } from '../../reports/availability/records.ts'
import { Goal } from '../../sites/goals/records.ts'
import { Channel } from '../channels/records.ts'
import { alertPreview } from './alert-preview.tsx'
import { limitWords, type Watched } from './condition-words.ts'
import { type Kind, kinds, type Metric, metricsOf, type Operator } from './condition.ts'
import type { conditionFields, fields } from './fields.ts'
import { m } from './messages.ts'
import { thresholdUnit } from './threshold-unit.ts'

type Field = keyof typeof fields | keyof typeof conditionFields
type Parts = FormParts<Field>

const cards: readonly (readonly [Kind, KindCard['icon'], PlainMessage])[] = [
  ['threshold', 'drop', m.kind_threshold],
  ['anomaly', 'unusual', m.kind_anomaly],
  ['goal', 'goal', m.kind_goal],
  ['no_data', 'unplugged', m.kind_no_data],
  ['uptime', 'uptime', m.kind_uptime],
  ['ssl', 'secure', m.kind_ssl],
  ['vitals', 'vitals', m.kind_vitals],
  ['usage', 'usage', m.kind_usage],
]

type SlotName = 'metric' | 'site' | 'operator' | 'threshold' | 'window' | 'goal' | 'sensitivity' | 'check'
type Slots = { readonly [Name in SlotName]: Content }

/** The sentence of each kind. A slot is drawn when it is read, so a sentence draws only its own. */
const sentences: Readonly<Record<Kind, (reader: Reader, slots: Slots) => readonly (Content | string)[]>> = {
  threshold: (reader, { metric, site, operator, threshold, window }) =>
    sayParts<Content, typeof m.when_threshold.english>(reader, m.when_threshold, { metric, site, operator, threshold, window }),
  anomaly: (reader, { metric, site, operator, window, sensitivity }) =>
    sayParts<Content, typeof m.when_anomaly.english>(reader, m.when_anomaly, { metric, site, operator, window, sensitivity }),
  goal: (reader, { goal, site, operator, threshold, window }) =>
    sayParts<Content, typeof m.when_goal.english>(reader, m.when_goal, { goal, site, operator, threshold, window }),
  no_data: (reader, { site, threshold }) => sayParts<Content, typeof m.when_no_data.english>(reader, m.when_no_data, { site, threshold }),
  usage: (reader, { operator, threshold }) => sayParts<Content, typeof m.when_usage.english>(reader, m.when_usage, { operator, threshold }),
  uptime: (reader, { check, site }) => sayParts<Content, typeof m.when_uptime.english>(reader, m.when_uptime, { check, site }),
  ssl: (reader, { check, site, operator, threshold }) =>
    sayParts<Content, typeof m.when_ssl.english>(reader, m.when_ssl, { check, site, operator, threshold }),
  vitals: (reader, { metric, site, operator, threshold, window }) =>
    sayParts<Content, typeof m.when_vitals.english>(reader, m.when_vitals, { metric, site, operator, threshold, window }),
}
const ofConversion: (typeof sentences)['threshold'] = (reader, { metric, site, goal, operator, threshold, window }) =>
  sayParts<Content, typeof m.when_conversion.english>(reader, m.when_conversion, { metric, site, goal, operator, threshold, window })

const plural = { gt: m.rise_above, gte: m.reach, lt: m.fall_below, lte: m.fall_to } as const
const single = { gt: m.rises_above, gte: m.reaches, lt: m.falls_below, lte: m.falls_to } as const
const amounts = { gte: m.at_least, gt: m.more_than, lte: m.at_most, lt: m.less_than } as const
const unusual = { '': m.are_unusual, lt: m.drop_unusually, gt: m.rise_unusually } as const
/** The words of the operators, which depend on what they are said of. Empty: the choice of none. */
function operatorsOf(kind: Kind, metric: Metric | undefined): Readonly<Partial<Record<Operator | '', PlainMessage>>> {
  if (kind === 'anomaly') return unusual
  if (kind === 'goal' || kind === 'usage' || kind === 'ssl') return amounts
  return metric === 'visitors' || metric === 'visits' || metric === 'pageviews' ? plural : single
}

/** Windows in minutes. */
const windows = [15, 30, 60, 180, 360, 720, 1_440, 4_320, 10_080]
/** The values that a new alert of a kind begins with, if its schema has no default. */
const usual: Readonly<
  Partial<Record<Kind, { readonly operator?: Operator; readonly threshold?: number; readonly metric?: Metric; readonly window?: number }>>
> = {
  threshold: { metric: 'visitors', operator: 'lt', threshold: 50, window: 1_440 },
  anomaly: { metric: 'visitors', window: 180 },
  goal: { operator: 'gte', threshold: 1, window: 60 },
  no_data: { threshold: 24 },
  usage: { operator: 'gte', threshold: 80 },
  ssl: { operator: 'lte', threshold: 14 },
  vitals: { metric: 'lcp', operator: 'gt', threshold: 2_500, window: 1_440 },
}

export async function alertFields(parts: Parts): Promise<Content> {
  const { reader, page, choices, isNew } = parts
  const sites = choices.get('site_id') ?? []
  const [onlySite] = sites.length === 1 ? sites : []
  const kind = kindIn(parts.begin({ kind: 'threshold', site_id: page.siteId ?? onlySite?.id }).kind)
  const { window, ...first } = usual[kind] ?? {}
  const values = parts.begin({ ...first, ...(window !== undefined && { window_minutes: window }) })
  const metrics = metricsOf(kind)
  const metric = metrics.find(each => each === values.metric) ?? metrics.find(each => each === first.metric)
  const siteId = typeof values.site_id === 'string' && values.site_id !== '' ? values.site_id : undefined
  const inSite = siteId === undefined ? undefined : { site_id: siteId, per_page: 100 }
  const goals = namedIn((kind === 'goal' || metric === 'conversion') && inSite ? await page.ask(listOf(Goal), inSite) : undefined)
  const checks = namedIn((kind === 'uptime' || kind === 'ssl') && inSite ? await page.ask(listOf(CheckAvailability), inSite) : undefined)
  const words = (message: PlainMessage): string => say(reader, message)
  const drawn: string[] = []
  const slotOf: Parts['slot'] = (name, given) => {
    drawn.push(name)
    return parts.slot(name, given)
  }
  const slots: Slots = {
    get site() {
      const blank = siteId === undefined ? words(m.choose_site) : undefined
      return slotOf('site_id', { options: sites.map(({ id, name }) => [id, name] as const), blank, isLeading: true })
    },
    get metric() {
      return slotOf('metric', { options: metrics.map(each => [each, metricWords(each, reader)] as const), isLeading: true })
    },
    get operator() {
      const { '': none, ...operators } = operatorsOf(kind, metric)
      const options = Object.entries(operators).map(([value, message]) => [value, words(message)] as const)
      return slotOf('operator', { options, blank: none && words(none) })
    },
    get threshold() {
      return slotOf('threshold', { unit: thresholdUnit({ kind, metric: metric ?? null }) })
    },
    get window() {
      return slotOf('window_minutes', { options: windows.map(minutes => [String(minutes), spanWords(minutes, reader)] as const) })
    },
    get goal() {
      return slotOf('goal_id', { options: goals, blank: words(goals.length === 0 ? m.no_goal : m.choose_goal) })
    },
    get sensitivity() {
      return slotOf('sensitivity')
    },
    get check() {
      return slotOf('uptime_check_id', { options: checks, blank: words(m.any_check) })
    },
  }
  const kindChoice = parts.kinds(
    'kind',
    cards.map(([value, icon, label]) => ({ value, icon, label: words(label) })),
  )
  const sentence = parts.sentence((metric === 'conversion' && kind === 'threshold' ? ofConversion : sentences[kind])(reader, slots))
  const name = parts.field('name', {
    help: '',
    proposed: isNew
      ? nameFor({ kind, metric, values, goals, checks, site: sites.find(({ id }) => id === siteId)?.name, parts })
      : undefined,
  })
  parts.without('site_id', 'metric', 'operator', 'threshold', 'goal_id', 'sensitivity', 'uptime_check_id', 'window_minutes')
  if (isNew) parts.without('enabled')
  return (
    <>
      {kindChoice}
      {sentence}
      {parts.live('preview', await alertPreview({ ...values, kind, metric }, [...drawn, 'kind'], page))}
      <Channels parts={parts} />
      {name}
      {parts.rest()}
    </>
  ) as Content
}

/** The channels that are notified. */
function Channels({ parts }: { parts: Parts }) {
  const { page, reader, choices } = parts
  const more = page.formFor(Channel, {})
  const isEmpty = (choices.get('channel_ids') ?? []).length === 0
  return (
    <div class="with-link">
      {parts.field('channel_ids', { label: say(reader, m.notified), help: isEmpty ? say(reader, m.no_channel) : '' })}
      {more !== undefined && (
        <a class="button plain" href={more}>
          <Icon name="add" />
          {say(reader, m.add_channel)}
        </a>
      )}
    </div>
  )
}

interface NameOf {
  readonly kind: Kind
  readonly metric: Metric | undefined
  readonly values: Readonly<Record<string, unknown>>
  readonly goals: readonly ChoiceOption[]
  readonly checks: readonly ChoiceOption[]
  readonly site: string | undefined
  readonly parts: Parts
}

/** `The garden shop: Visitors below 50` */
function nameFor({ kind, metric, values, goals, checks, site, parts: { page, reader } }: NameOf): string | undefined {
  if (site === undefined && kind !== 'usage') return undefined
  const { viewer } = page
  const check = checks.find(([id]) => id === values.uptime_check_id)?.[1]
  const given = { ...values, kind, metric: metric ?? null, threshold: typeof values.threshold === 'number' ? values.threshold : null }
  const condition =
    kind === 'uptime' ? say(reader, m.down, { what: check ?? site ?? '' }) : limitWords(given as Watched, viewer, new Map(goals))
  const text =
    site === undefined || (kind === 'uptime' && check === undefined) ? condition : say(reader, m.proposed_name, { site, condition })
  return text.slice(0, maxNameLength)
}
const maxNameLength = 100

const namedIn = (rows: readonly { readonly id: string; readonly name: string }[] | undefined): ChoiceOption[] =>
  (rows ?? []).map(({ id, name }) => [id, name] as const)
const kindIn = (value: unknown): Kind => kinds.find(each => each === value) ?? 'threshold'
const metricWords = (metric: Metric, reader: Reader): string => (metric.length <= 4 ? metric.toUpperCase() : valueWords(metric, reader))
/** `24 hours` */
const spanWords = (minutes: number, reader: Reader): string =>
  minutes % 1_440 === 0 && minutes > 1_440
    ? say(reader, m.days, { count: minutes / 1_440 })
    : minutes % 60 === 0
      ? say(reader, m.hours, { count: minutes / 60 })
      : say(reader, m.minutes, { count: minutes })
