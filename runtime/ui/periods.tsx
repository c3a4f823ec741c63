/** The period of a report and what it is compared with: links, and two days to choose. */
import type { TSchema } from '@sinclair/typebox'
import { defaultOf } from '../table/schema.ts'
import type { NamedOperation } from '../table/table.ts'
import { day, type Viewer } from './format.ts'
import { valueWords, withQuery, words } from './words.ts'
import { Line } from './fields/line.tsx'
import { Form, Hidden } from './form.tsx'
import { Icon } from './icons/icon.tsx'
import { periodMessages, ui } from './messages.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'

/** Periods that have a length or a beginning of their own, in the order of the menu. */
export const periodNames: readonly string[] = [
  'today',
  'yesterday',
  '24h',
  '7d',
  '14d',
  '28d',
  '30d',
  '90d',
  'mtd',
  'last_month',
  'qtd',
  'last_quarter',
  'ytd',
  'last_year',
  '12mo',
  'all',
]
/** As people know them from elsewhere. */
const keys: Readonly<Record<string, string>> = {
  today: 'd',
  yesterday: 'e',
  '24h': 'h',
  '7d': 'w',
  '28d': 'f',
  '30d': 't',
  mtd: 'm',
  last_month: 'p',
  ytd: 'y',
  '12mo': 'l',
  all: 'a',
}
export function periodWords(period: string, viewer: Reader = english): string {
  return isPeriod(period) ? say(viewer, periodMessages[period]) : words(period)
}
const isPeriod = (name: string): name is keyof typeof periodMessages => Object.hasOwn(periodMessages, name)
const english: Reader = { locale: 'en' }
const comparisonWords = (comparison: string, viewer: Viewer): string =>
  comparison === 'none'
    ? say(viewer, ui.no_comparison)
    : comparison === 'previous_period' || comparison === 'previous_year'
      ? say(viewer, ui[comparison])
      : valueWords(comparison, viewer)

const usualPeriod = (period: TSchema, { searchParams }: URL): string => String(defaultOf(period, Object.fromEntries(searchParams)) ?? '')

/** The period that the address asks for, in words; undefined where the report has none. */
export function periodShown(
  operation: NamedOperation,
  { url, viewer, first }: { url: URL; viewer: Viewer; first?: string | undefined },
): string | undefined {
  const { period } = operation.input.properties as Readonly<Record<string, TSchema | undefined>>
  if (!period?.enum) return undefined
  const current = url.searchParams.get('period') ?? first ?? usualPeriod(period, url)
  const [from, to] = [url.searchParams.get('from'), url.searchParams.get('to')]
  const days = [from, to].map(text => (text && !Number.isNaN(Date.parse(text)) ? day(text, viewer) : '…'))
  return current === 'custom' ? days.join(' – ') : periodWords(current, viewer)
}

interface PeriodsProps {
  readonly operation: NamedOperation
  readonly url: URL
  readonly viewer: Viewer
  /** Whether its view compares where the address says nothing. */
  readonly isCompared: boolean
  /** Whether an input may have this value. */
  may(name: string, value: string): boolean
  /** The period that is shown where the address names none and the usual one may not be. */
  readonly first: string | undefined
}

export function Periods({ operation, url, viewer, isCompared, may, first }: PeriodsProps) {
  const { period, compare, from } = operation.input.properties as Readonly<Record<string, TSchema | undefined>>
  const values = ((period?.enum ?? []) as string[]).filter(value => value === 'custom' || may('period', value))
  if (values.length === 0) return null
  const current = url.searchParams.get('period') ?? first ?? (period ? usualPeriod(period, url) : '')
  const link = (value: string) => (
    <a
      href={withQuery(url, { period: value, from: undefined, to: undefined, page: undefined })}
      aria-current={value === current ? 'true' : undefined}
      data-key={keys[value]}
    >
      {periodWords(value, viewer)}
      {keys[value] && <kbd class="key-hint">{keys[value].toUpperCase()}</kbd>}
    </a>
  )
  return (
    <nav class="periods" aria-label={say(viewer, ui.period)}>
      <details class="more">
        <summary class="button plain">
          <Icon name="calendar" />
          {periodShown(operation, { url, viewer, first })} <span class="unseen">{say(viewer, ui.periods)}</span>
          <Icon name="down" size="small" />
        </summary>
        <div class="card drop period-menu">
          <ul>
            {periodNames
              .filter(value => values.includes(value))
              .map(value => (
                <li>{link(value)}</li>
              ))}
          </ul>
          {from && <Days url={url} viewer={viewer} />}
        </div>
      </details>
      <Comparisons
        values={((compare?.enum ?? []) as string[]).filter(value => may('compare', value))}
        url={url}
        viewer={viewer}
        usual={isCompared ? 'previous_period' : 'none'}
      />
    </nav>
  )
}

function Days({ url, viewer }: { url: URL; viewer: Viewer }) {
  const field = (name: 'from' | 'to') => (
    <Line
      id={name}
      name={name}
      label={say(viewer, ui[name])}
      value={url.searchParams.get(name) ?? undefined}
      attributes={{ type: 'date' }}
      required
    />
  )
  return (
    <Form method="GET">
      <Kept url={url} without={['period', 'from', 'to', 'page']} />
      <Hidden fields={[['period', 'custom']]} />
      {field('from')}
      {field('to')}
      <button type="submit">{say(viewer, ui.show)}</button>
    </Form>
  )
}

/** Parameters that a form of the address keeps. */
export const Kept = ({ url, without }: { url: URL; without: readonly string[] }) => (
  <Hidden fields={[...url.searchParams].filter(([name]) => !without.includes(name))} />
)

interface ComparisonsProps {
  readonly values: readonly string[]
  readonly url: URL
  readonly viewer: Viewer
  readonly usual: string
}

/** The key is at the one that turns the comparison on, or off again. */
function Comparisons({ values, url, viewer, usual }: ComparisonsProps) {
  if (values.length === 0) return null
  const compared = url.searchParams.get('compare') ?? usual
  const other = compared === 'none' ? 'previous_period' : 'none'
  return (
    <details class="more">
      <summary class="button plain">
        <span class="opt">
          {compared === 'none' ? say(viewer, ui.compare) : say(viewer, ui.against, { what: comparisonWords(compared, viewer) })}
        </span>
        <Icon name="down" size="small" />
      </summary>
      <ul class="card drop">
        {values
          .filter(value => value !== 'custom')
          .map(value => (
            <li>
              <a
                href={withQuery(url, { compare: value, compare_from: undefined, compare_to: undefined })}
                aria-current={value === compared ? 'true' : undefined}
                data-key={value === other ? 'x' : undefined}
              >
                {comparisonWords(value, viewer)}
              </a>
            </li>
          ))}
      </ul>
    </details>
  )
}
