/** The period of a report and what it is compared with: one button, whose panel has presets, a calendar and options. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { defaultOf } from '../table/schema.ts'
import type { NamedOperation } from '../table/table.ts'
import { day, type Viewer } from './format.ts'
import { withQuery, words } from './words.ts'
import { Line } from './fields/line.tsx'
import { Form, Hidden } from './form.tsx'
import { Icon } from './icons/icon.tsx'
import { periodMessages, ui } from './messages.ts'
import { comparisonShown, PeriodOptions } from './period-options.tsx'
import { type PeriodStep, periodStep, type ShownDays } from './period-steps.ts'
import { slot } from './slot.ts'
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
  'this_week',
  'last_week',
  'mtd',
  'last_month',
  'qtd',
  'last_quarter',
  'ytd',
  'last_year',
  '12mo',
  'all',
]
/** Keys that choose a period, as in other products. */
const keys: Readonly<Record<string, string>> = {
  today: 'd',
  yesterday: 'e',
  '24h': 'h',
  '7d': 'w',
  '28d': 'f',
  '30d': 't',
  '90d': 'n',
  mtd: 'm',
  last_month: 'p',
  ytd: 'y',
  '12mo': 'l',
  all: 'a',
}
export function periodWords(period: string, viewer: Reader = english): string {
  if (isPeriod(period)) return say(viewer, periodMessages[period])
  const [, year = '', month, week, quarter] = calendarPeriod.exec(period) ?? []
  if (month !== undefined) return monthWords(Number(year), Number(month), viewer)
  if (week !== undefined) return say(viewer, ui.week_of_year, { week: String(Number(week)), year })
  return quarter === undefined ? words(period) : say(viewer, ui.quarter_of_year, { quarter, year })
}
const calendarPeriod = /^(\d{4})-(?:(\d\d)|W(\d\d)|Q(\d))$/
const monthWords = (year: number, month: number, { locale }: Reader): string =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.UTC(year, month - 1))

const isPeriod = (name: string): name is keyof typeof periodMessages => Object.hasOwn(periodMessages, name)
const english: Reader = { locale: 'en' }

const usualPeriod = (period: TSchema, { searchParams }: URL): string => String(defaultOf(period, Object.fromEntries(searchParams)) ?? '')

/** The period that the address asks for, in words; undefined if the report has none. */
export function periodShown(
  operation: NamedOperation,
  { url, viewer, first }: { url: URL; viewer: Viewer; first?: string | undefined },
): string | undefined {
  const { period } = operation.input.properties as Readonly<Record<string, TSchema | undefined>>
  if (!period?.enum) return undefined
  const current = url.searchParams.get('period') ?? first ?? usualPeriod(period, url)
  const [from, to] = [url.searchParams.get('from'), url.searchParams.get('to')]
  return current === 'custom' ? daysShown(from, to, viewer) : periodWords(current, viewer)
}

/** The first day of a site with a hit, `2026-11-26`; the area that knows it fills it in. */
export const firstDay = slot<object, string>('first day of a site')

/** The data that the calendar needs. */
export interface PeriodDays extends ShownDays {
  /** First day with data, if it is known. */
  readonly begins: string | undefined
  /** First day of the week: 1 is Monday, 7 is Sunday. */
  readonly weekStart: number
}

interface PeriodsProps {
  readonly operation: NamedOperation
  readonly url: URL
  readonly viewer: Viewer
  /** Inputs that its view sets where the address says nothing. */
  readonly asks: Readonly<Record<string, unknown>>
  /** Whether an input may have this value. */
  may(name: string, value: string): boolean
  /** The period that is shown where the address names none and the usual one may not be. */
  readonly first: string | undefined
  /** Undefined if the report shows no days, for example after a fault. */
  readonly days: PeriodDays | undefined
}

/** Parameters that belong to a period; another one drops them. */
const ofPeriod = { period: undefined, from: undefined, to: undefined, page: undefined } as const

export function Periods({ operation, url, viewer, asks, may, first, days }: PeriodsProps) {
  const { period, compare, from, interval, include_imported } = operation.input.properties as Readonly<Record<string, TSchema | undefined>>
  const values = ((period?.enum ?? []) as string[]).filter(value => value === 'custom' || may('period', value))
  if (values.length === 0) return null
  const current = url.searchParams.get('period') ?? first ?? (period ? usualPeriod(period, url) : '')
  const addressOf = (step: PeriodStep): string =>
    withQuery(url, {
      ...ofPeriod,
      ...{ ...step },
      // No days come before all days.
      ...(step.period === 'all' && { compare: undefined, compare_from: undefined, compare_to: undefined, match_weekday: undefined }),
    })
  const step = (by: -1 | 1) => {
    const found = days && values.includes('custom') ? periodStep(current, days, by, days.begins) : undefined
    const allowed = found && (found.from === undefined ? values.includes(found.period) : may('from', found.from)) ? found : undefined
    const label = say(viewer, by < 0 ? ui.period_before : ui.period_after)
    return (
      <Step href={allowed && addressOf(allowed)} label={label} by={by}>
        {allowed && (allowed.period === 'custom' ? daysShown(allowed.from, allowed.to, viewer) : periodWords(allowed.period, viewer))}
      </Step>
    )
  }
  const compared = compare && comparisonShown({ url, viewer, asks })
  const comparisons = ((compare?.enum ?? []) as string[]).filter(value => may('compare', value))
  const canStep = from !== undefined && current !== 'all'
  return (
    <nav
      class={canStep ? 'periods with-steps' : 'periods'}
      aria-label={say(viewer, ui.period)}
      data-first={days?.first}
      data-last={days?.last}
      data-today={days?.today}
      data-begins={days?.begins}
      data-week={days && String(days.weekStart)}
      data-locale={viewer.locale}
    >
      {canStep && step(-1)}
      <details class="more">
        <summary class="button plain" data-key="c" data-does={say(viewer, ui.period)}>
          <Icon name="calendar" />
          <span>
            {periodShown(operation, { url, viewer, first })} <span class="unseen">{say(viewer, ui.periods)}</span>
          </span>
          {compared !== undefined && <span class="opt against">{compared}</span>}
          <Icon name="down" size="small" />
        </summary>
        <div class="card drop period-menu">
          <ul>
            {periodNames
              .filter(value => values.includes(value))
              .map(value => (
                <li>
                  <a
                    href={addressOf({ period: value })}
                    aria-current={value === current ? 'true' : undefined}
                    data-key={keys[value]}
                    data-does={periodWords(value, viewer)}
                  >
                    {periodWords(value, viewer)}
                    {keys[value] && <kbd class="key-hint">{keys[value].toUpperCase()}</kbd>}
                  </a>
                </li>
              ))}
          </ul>
          {(from || comparisons.length > 0) && (
            <div class="period-side">
              {from && <Days url={url} viewer={viewer} days={days} />}
              <PeriodOptions
                comparisons={comparisons}
                intervals={(interval?.enum ?? []) as string[]}
                hasImported={include_imported !== undefined}
                {...{ url, viewer, asks, days, period: current }}
              />
            </div>
          )}
        </div>
      </details>
      {canStep && step(1)}
    </nav>
  )
}

/** `Oct 1, 2026 – Oct 31, 2026`, or one day. */
export function daysShown(from: string | null | undefined, to: string | null | undefined, viewer: Viewer): string {
  const [first, last] = [from, to].map(text => (text && !Number.isNaN(Date.parse(text)) ? day(text, viewer) : '…'))
  return first !== undefined && first === last && first !== '…' ? first : `${first} – ${last}`
}

interface StepProps {
  readonly href: string | undefined
  readonly label: string
  readonly by: -1 | 1
  /** The days that it leads to. */
  readonly children?: Child
}

function Step({ href, label, by, children }: StepProps) {
  const icon = <Icon name={by < 0 ? 'back' : 'forward'} size="small" />
  if (href === undefined)
    return (
      <span class="button plain step off" aria-hidden="true">
        {icon}
      </span>
    )
  return (
    <a class="button plain step" href={href} data-key={by < 0 ? 'ArrowLeft' : 'ArrowRight'} data-does={label}>
      <span class="unseen">
        {label}: {children}
      </span>
      {icon}
    </a>
  )
}

/** The calendar, which a script draws, and two days to type in. */
function Days({ url, viewer, days }: { url: URL; viewer: Viewer; days: PeriodDays | undefined }) {
  const field = (name: 'from' | 'to', shown: string | undefined) => (
    <Line
      id={name}
      name={name}
      label={say(viewer, ui[name])}
      value={url.searchParams.get(name) ?? shown}
      attributes={{ type: 'date', max: days?.today }}
      required
    />
  )
  return (
    <>
      {days && (
        <section
          class="calendar"
          hidden
          aria-label={say(viewer, ui.calendar)}
          data-before={say(viewer, ui.month_before)}
          data-after={say(viewer, ui.month_after)}
          data-choose={say(viewer, ui.choose_last_day)}
        />
      )}
      <Form method="GET" class="day-fields">
        <Kept url={url} without={['period', 'from', 'to', 'page', 'interval']} />
        <Hidden fields={[['period', 'custom']]} />
        {field('from', days?.first)}
        {field('to', days?.last)}
        <button type="submit">{say(viewer, ui.show)}</button>
      </Form>
    </>
  )
}

/** Parameters that a form of the address keeps. */
export const Kept = ({ url, without }: { url: URL; without: readonly string[] }) => (
  <Hidden fields={[...url.searchParams].filter(([name]) => !without.includes(name))} />
)
