/** Comparisons of a period, the length of its points, and imported history: links in the panel of the period. */
import type { Child } from 'hono/jsx'
import { day, type Viewer } from './format.ts'
import { Line } from './fields/line.tsx'
import { Form, Hidden } from './form.tsx'
import { ui } from './messages.ts'
import { fittingIntervals, type ShownDays } from './period-steps.ts'
import { fieldWords, valueWords, withQuery } from './words.ts'
import { capital } from '../texts/names.ts'
import { say } from '../texts/say.ts'

interface Asked {
  readonly url: URL
  readonly viewer: Viewer
  /** Inputs that the view of the report sets where the address says nothing. */
  readonly asks: Readonly<Record<string, unknown>>
}

const askedFor = ({ url, asks }: Asked, name: string): string | undefined => {
  const usual = asks[name]
  return url.searchParams.get(name) ?? (typeof usual === 'string' || typeof usual === 'boolean' ? String(usual) : undefined)
}
const comparedWith = (asked: Asked): string => askedFor(asked, 'compare') ?? 'none'

/** `vs previous period`; undefined without a comparison. */
export function comparisonShown(asked: Asked): string | undefined {
  const { url, viewer } = asked
  const compared = comparedWith(asked)
  if (compared === 'none') return undefined
  if (compared === 'previous_year') return say(viewer, ui.vs_previous_year)
  const [from, to] = [url.searchParams.get('compare_from'), url.searchParams.get('compare_to')]
  if (compared !== 'custom' || !from || !to || Number.isNaN(Date.parse(from) + Date.parse(to))) return say(viewer, ui.vs_previous_period)
  return say(viewer, ui.against, { what: `${day(from, viewer)} – ${day(to, viewer)}` })
}

interface PeriodOptionsProps extends Asked {
  readonly comparisons: readonly string[]
  readonly intervals: readonly string[]
  readonly hasImported: boolean
  readonly days: ShownDays | undefined
  readonly period: string
}

export function PeriodOptions({ comparisons, intervals, hasImported, days, period, ...asked }: PeriodOptionsProps) {
  const { url, viewer } = asked
  const interval = askedFor(asked, 'interval') ?? 'auto'
  const fitting = days
    ? fittingIntervals(
        intervals.filter(value => value !== 'auto'),
        days,
      )
    : []
  const offered = ['auto', ...fitting]
  const next = (offered.indexOf(interval) + 1) % offered.length
  return (
    <>
      {comparisons.length > 1 && period !== 'all' && <Comparison {...asked} values={comparisons} days={days} />}
      {fitting.length > 1 && (
        <Choice label={fieldWords('interval', viewer)}>
          {offered.map((value, at) => (
            <Pill
              href={withQuery(url, { interval: value === 'auto' ? undefined : value })}
              isOn={value === interval}
              label={value === 'auto' ? say(viewer, ui.automatic) : capital(valueWords(value, viewer))}
              shortcut={at === next ? 'i' : undefined}
            />
          ))}
        </Choice>
      )}
      {hasImported && (
        <p class="switches">
          <Switch {...asked} name="include_imported" label={say(viewer, ui.include_imported)} />
        </p>
      )}
    </>
  )
}

interface ComparisonProps extends Asked {
  readonly values: readonly string[]
  readonly days: ShownDays | undefined
}

/** The key is at the choice that turns the comparison on, or off again. */
function Comparison({ values, days, ...asked }: ComparisonProps) {
  const { url, viewer } = asked
  const compared = comparedWith(asked)
  const other = compared === 'none' ? 'previous_period' : 'none'
  const label = (value: string) =>
    value === 'none'
      ? say(viewer, ui.no_comparison)
      : value === 'previous_period' || value === 'previous_year'
        ? say(viewer, ui[value])
        : valueWords(value, viewer)
  return (
    <>
      <Choice label={say(viewer, ui.compare)}>
        {values
          .filter(value => value !== 'custom')
          .map(value => (
            <Pill
              href={withQuery(url, {
                compare: value,
                compare_from: undefined,
                compare_to: undefined,
                ...(value === 'none' && { match_weekday: undefined }),
              })}
              isOn={value === compared}
              label={label(value)}
              shortcut={value === other ? 'x' : undefined}
            />
          ))}
      </Choice>
      {values.includes('custom') && (
        <details class="of-choice" open={compared === 'custom'}>
          <summary>{say(viewer, ui.compare_other_days)}</summary>
          <Form method="GET" class="day-fields">
            <Hidden fields={[...url.searchParams].filter(([name]) => !['compare', 'compare_from', 'compare_to', 'page'].includes(name))} />
            <Hidden fields={[['compare', 'custom']]} />
            {(['compare_from', 'compare_to'] as const).map((name, i) => (
              <Line
                id={name}
                name={name}
                label={say(viewer, i === 0 ? ui.from : ui.to)}
                value={url.searchParams.get(name) ?? undefined}
                attributes={{ type: 'date', max: days?.today }}
                required
              />
            ))}
            <button type="submit" class="plain">
              {say(viewer, ui.compare)}
            </button>
          </Form>
        </details>
      )}
      {compared !== 'none' && (
        <p class="switches">
          <Switch {...asked} name="match_weekday" label={say(viewer, ui.match_weekday)} />
        </p>
      )}
    </>
  )
}

const Choice = ({ label, children }: { label: string; children?: Child }) => (
  <div class="choice">
    <b>{label}</b>
    <ul>{children}</ul>
  </div>
)

/** With scripts, the panel stays open after a choice (`data-stay`). */
const Pill = ({ href, isOn, label, shortcut }: { href: string; isOn: boolean; label: string; shortcut?: string | undefined }) => (
  <li>
    <a href={href} aria-current={isOn ? 'true' : undefined} data-key={shortcut} data-stay>
      {label}
    </a>
  </li>
)

/** A link that turns an input on or off. */
function Switch({ name, label, ...asked }: Asked & { readonly name: string; readonly label: string }) {
  const isOn = askedFor(asked, name) === 'true'
  const usual = asked.asks[name] === true
  return (
    <a
      class="switch"
      role="switch"
      aria-checked={String(isOn)}
      href={withQuery(asked.url, { [name]: isOn === usual ? String(!isOn) : undefined })}
      data-stay
    >
      <span aria-hidden="true" />
      {label}
    </a>
  )
}
