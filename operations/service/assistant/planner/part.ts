/** One part of a question, understood. */
import type { Days } from './days.ts'
import type { Against, Interval, Metric } from './lexicon.ts'

export interface Filter {
  readonly dimension: string
  readonly isNegative: boolean
  readonly operator: 'is' | 'starts_with'
  readonly values: readonly string[]
  readonly labels: readonly string[]
}

export interface Dated {
  readonly days: Days
  /** The day or range that `since` was said of. */
  readonly since?: Days
  /** Whether it follows `compared with`. */
  readonly isAgainst: boolean
}

/** A goal or an event by name. */
export interface Done {
  readonly dimension: 'goal' | 'event'
  readonly value: string
  readonly label: string
}

export interface Part {
  readonly metrics: readonly Metric[]
  /** Nothing but `people`, `users`: visitors, or those who reached a goal. */
  readonly isWeak: boolean
  readonly dimensions: readonly string[]
  readonly interval: Interval | null
  /** The best or worst of these is asked for: `which day`. */
  readonly unit: Interval | null
  readonly isTop: boolean
  readonly isWorst: boolean
  readonly isTrend: boolean
  readonly isWhy: boolean
  readonly isLive: boolean
  readonly isUptime: boolean
  readonly isOverview: boolean
  readonly isCompared: boolean
  readonly isDraft: boolean
  /** Undefined if the question asks about no change, null for a change in any direction. */
  readonly direction: 'up' | 'down' | null | undefined
  readonly count: number | null
  /** How many values there are is asked. */
  readonly isHowMany: boolean
  readonly dates: readonly Dated[]
  readonly against: Against | null
  readonly filters: readonly Filter[]
  readonly done: Done | null
  /** A path that was named, for drafts of goals. */
  readonly path: string | null
}

/** Whether it names the requested figure, as opposed to a period or a filter. */
export const hasSubject = (part: Part): boolean =>
  part.metrics.length > 0 ||
  part.isWeak ||
  (part.isCompared && (part.dates.length > 1 || part.filters.some(({ values }) => values.length > 1))) ||
  part.dimensions.length > 0 ||
  part.done !== null ||
  part.unit !== null ||
  part.isTrend ||
  part.interval !== null ||
  part.isWhy ||
  part.isLive ||
  part.isUptime ||
  part.isOverview ||
  part.isDraft ||
  part.direction !== undefined

/** Adds the subject of an earlier part to a part that has only a period or filters: `and from Germany?`. */
export function continued(before: Part, part: Part): Part {
  const isBare = !hasSubject(part)
  const own = new Set(part.filters.map(({ dimension }) => dimension))
  const subject = isBare
    ? {
        ...before,
        isCompared: part.isCompared || before.isCompared,
        against: part.against,
        direction: part.direction ?? before.direction,
        count: part.count ?? before.count,
      }
    : part
  return {
    ...subject,
    dates: part.dates.length > 0 ? part.dates : before.dates,
    filters:
      part.filters.length > 0
        ? [...(isBare ? before.filters.filter(({ dimension }) => !own.has(dimension)) : []), ...part.filters]
        : before.filters,
    path: part.path ?? before.path,
  }
}
