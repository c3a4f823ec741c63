/** The days of a site, from the platform's own calendar, independent of our code. */
const DAY = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()
const midnights = new Map<string, number>()

/** The number of the local day, counted from 1970-01-01. */
export function dateAt(zone: string, at: number): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(zone, format)
  return Date.parse(format.format(at)) / DAY
}

const hours = new Map<string, Intl.DateTimeFormat>()

/** The hour of the clock, '0' to '23'. */
export function hourIn(zone: string, at: number): string {
  const format = hours.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
  hours.set(zone, format)
  return String(Number(format.format(at)))
}

/** Start of a local day; for one that does not exist, of the next. */
export function midnight(zone: string, day: number): number {
  const key = `${zone} ${day}`
  let [before, after] = [(day - 2) * DAY, (day + 2) * DAY]
  const known = midnights.get(key)
  if (known !== undefined) return known
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateAt(zone, middle) < day) before = middle
    else after = middle
  }
  midnights.set(key, after)
  return after
}

export interface SiteDay {
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
}

/**
 * The site's days: a new time zone applies from the next local midnight. The day that had begun lasts until the new
 * zone's date changes; if that has changed already, the next day begins late.
 */
export class Calendar {
  private reigns: { readonly zone: string; readonly from: number; last: number }[]

  constructor(zone: string) {
    this.reigns = [{ zone, from: -Infinity, last: Infinity }]
  }

  get zone(): string {
    return this.reigns.at(-1)!.zone
  }

  /** The first instant to which the current zone applies. */
  get since(): number {
    return this.reigns.at(-1)!.from
  }

  dayOf(at: number): SiteDay {
    const place = this.reigns.findLastIndex(({ from }) => from <= at)
    const { zone, from, last } = this.reigns[place]!
    const day = Math.min(dateAt(zone, at), last)
    const endsAt = day === last ? this.reigns[place + 1]!.from : midnight(zone, day + 1)
    return { day, startsAt: Math.max(midnight(zone, day), from), endsAt }
  }

  /** The time of a day; none if the zone has no such day. */
  timeOf(day: number): SiteDay {
    const last = this.reigns.map(({ zone }) => this.dayOf(midnight(zone, day + 1) - 1)).findLast(found => found.day === day)
    const none = midnight(this.zone, day)
    return last ?? { day, startsAt: none, endsAt: none }
  }

  /** The site moves: a pending move is cancelled. */
  move(at: number, zone: string): void {
    const { day } = this.dayOf(at)
    const never = this.reigns.filter(({ from }) => from > at)
    this.reigns = this.reigns.filter(({ from }) => from <= at)
    const present = this.reigns.at(-1)!
    const ends = [midnight(present.zone, day + 1), ...never.map(({ from }) => from)].find(end => end > at)!
    present.last = day
    this.reigns.push({ zone, from: dateAt(zone, ends) <= day ? midnight(zone, day + 1) : ends, last: Infinity })
  }
}
