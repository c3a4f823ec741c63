/** What is above every report: its period, what it is compared with, and the conditions that are on. */
import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../../../runtime/json.ts'
import type { NamedOperation } from '../../../runtime/table.ts'
import type { Viewer } from '../format.ts'
import { valueWords, withQuery, words } from '../words.ts'

/** Those that stand as links; the others are in the list behind them. Keys as people know them from elsewhere. */
const often: Readonly<Record<string, string>> = { today: 'Today', '7d': '7 days', '30d': '30 days', '90d': '90 days', '12mo': '12 months' }
const rest: Readonly<Record<string, string>> = {
  '24h': 'Last 24 hours',
  '14d': '14 days',
  '28d': '28 days',
  mtd: 'This month',
  qtd: 'This quarter',
  ytd: 'This year',
  all: 'All time',
}
const periodWords = (period: string): string => often[period] ?? rest[period] ?? words(period)

export function Periods({
  operation,
  url,
  isCompared,
  may,
  first,
}: {
  operation: NamedOperation
  url: URL
  viewer: Viewer
  isCompared: boolean
  /** Whether an input may have this value. */
  may(name: string, value: string): boolean
  /** The period that is shown where the address names none and the usual one may not be. */
  first: string | undefined
}) {
  const { period, compare, from } = operation.input.properties as Readonly<Record<string, TSchema | undefined>>
  const values: readonly string[] = (period?.enum ?? []).filter((value: string) => value === 'custom' || may('period', value))
  if (values.length === 0) return null
  const current = url.searchParams.get('period') ?? first ?? String(period?.default ?? '')
  const link = (value: string) => withQuery(url, { period: value, from: undefined, to: undefined, page: undefined })
  const others = values.filter(value => !Object.hasOwn(often, value) && value !== 'custom')
  const comparisons: readonly string[] = (compare?.enum ?? []).filter((value: string) => value !== 'custom' && may('compare', value))
  const compared = url.searchParams.get('compare') ?? (isCompared ? 'previous_period' : String(compare?.default ?? 'none'))
  const shown = current === 'custom' ? `${url.searchParams.get('from') ?? ''} – ${url.searchParams.get('to') ?? ''}` : periodWords(current)
  return (
    <nav class="periods" aria-label="Period">
      {values
        .filter(value => Object.hasOwn(often, value))
        .map(value => (
          <a href={link(value)} aria-current={value === current ? 'true' : undefined}>
            {periodWords(value)}
          </a>
        ))}
      <details class="more">
        <summary>
          {Object.hasOwn(often, current) ? 'More' : shown} <span class="unseen">periods</span>
        </summary>
        <div class="card drop">
          <ul>
            {others.map(value => (
              <li>
                <a href={link(value)} aria-current={value === current ? 'true' : undefined}>
                  {periodWords(value)}
                </a>
              </li>
            ))}
          </ul>
          {from && (
            <form method="get">
              {[...url.searchParams]
                .filter(([name]) => !['period', 'from', 'to', 'page'].includes(name))
                .map(([name, value]) => (
                  <input type="hidden" name={name} value={value} />
                ))}
              <input type="hidden" name="period" value="custom" />
              <p class="field">
                <label for="from">From</label>
                <input type="date" id="from" name="from" required value={url.searchParams.get('from') ?? undefined} />
              </p>
              <p class="field">
                <label for="to">To</label>
                <input type="date" id="to" name="to" required value={url.searchParams.get('to') ?? undefined} />
              </p>
              <button type="submit">Show</button>
            </form>
          )}
        </div>
      </details>
      {comparisons.length > 0 && (
        <details class="more">
          <summary>{compared === 'none' ? 'Compare' : `vs ${valueWords(compared)}`}</summary>
          <ul class="card drop">
            {comparisons.map(value => (
              <li>
                <a
                  href={withQuery(url, { compare: value, compare_from: undefined, compare_to: undefined })}
                  aria-current={value === compared ? 'true' : undefined}
                >
                  {value === 'none' ? 'No comparison' : words(value)}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  )
}

/** Conditions as they stand in the address; anything else than a list of them is told of by the report. */
export function conditionsIn(url: URL): unknown[] {
  try {
    const given: unknown = JSON.parse(url.searchParams.get('filters') ?? '[]')
    return Array.isArray(given) ? given : []
  } catch {
    return []
  }
}

/** The address with one condition more: another click on the same value changes nothing. */
export function withCondition(url: URL, dimension: string, value: string): string {
  const condition = [dimension, 'is', value]
  const others = conditionsIn(url).filter(each => JSON.stringify(each) !== JSON.stringify(condition))
  return withQuery(url, { filters: JSON.stringify([...others, condition]), page: undefined })
}

const inWords = (condition: unknown): string => {
  if (Array.isArray(condition) && condition.length === 3) {
    const [dimension, operator, value] = condition as unknown[]
    return `${words(String(dimension))} ${valueWords(operator)} ${Array.isArray(value) ? value.map(String).join(', ') : String(value) || '(none)'}`
  }
  return isObject(condition) ? JSON.stringify(condition) : String(condition)
}

/** Conditions that are on, each with a way to take it off. */
export function Chips({ url, isTaken }: { url: URL; isTaken: boolean }) {
  const conditions = isTaken ? conditionsIn(url) : []
  if (conditions.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {conditions.map((condition, i) => (
        <li>
          <span>{inWords(condition)}</span>
          <a
            href={withQuery(url, {
              filters: conditions.length === 1 ? undefined : JSON.stringify(conditions.toSpliced(i, 1)),
              page: undefined,
            })}
          >
            <span class="unseen">Take off: {inWords(condition)}</span>
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {conditions.length > 1 && (
        <li class="all">
          <a href={withQuery(url, { filters: undefined })}>Clear all</a>
        </li>
      )}
    </ul>
  )
}
