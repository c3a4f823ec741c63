/** Parts of all requests of GoatCounter’s API: the site, days, counts, and the form of refusals. */
import { dateOf } from '../../../../storage/calendar/zones.ts'
import { dayAt, type Days, dayNamed, todayOf, untilToday } from '../days.ts'
import { type Asked, type ForeignApi, Refused, refuse } from '../format.ts'
import { type NamedSite, siteNamed } from '../named-site.ts'

/** Faults of single hits, by their index. */
export class RefusedHits extends Refused {
  constructor(readonly faults: Readonly<Record<number, string>>) {
    super(400, 'Hits are wrong.')
  }
}

const ofInput: Readonly<Record<string, string>> = { from: 'start', to: 'end', interval: 'group' }

export const goatcounter = (answer: ForeignApi['answer']): ForeignApi => ({
  answer,
  named: ({ path: [name = ''] }) => ofInput[name],
  status: ({ status }) => (status === 422 ? 400 : status),
  refusal: refused => (refused instanceof RefusedHits ? { errors: refused.faults } : { error: refused.message }),
})

/**
 * The site: their API has one address for each site, so a request does not name it. Here it is the user name of the basic
 * authentication, which theirs ignores, or the one site that the token may see.
 * @throws Refused
 */
export async function siteOf(asked: Asked): Promise<NamedSite> {
  if (asked.userName !== '') return siteNamed(asked.db, asked.userName, asked.now)
  const { data, meta } = await asked.call('sites_list', { workspace_id: await asked.workspace() }, { per_page: 1 })
  const [only] = data
  if (only === undefined || (meta.total ?? 0) > 1) {
    refuse(
      400,
      'Use a token that is restricted to one site, or basic authentication with the domain as the user name and the token as the password.',
    )
  }
  return siteNamed(asked.db, only.id, asked.now)
}

/** `start` and `end`, each a day or a time; whole days of the site. By default, the last seven days and today. @throws Refused */
export function daysIn({ query, now }: Asked, site: NamedSite): Days {
  const today = todayOf(site, now)
  const of = (name: string): number | undefined => {
    const given = query.get(name)
    if (given === null || given === '') return undefined
    if (/^\d{4}-\d\d-\d\d$/.test(given)) return dayNamed(given)
    const at = /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(given) ? Date.parse(given.replace(' ', 'T')) : Number.NaN
    if (Number.isNaN(at)) return refuse(400, `${name} is a time: 2026-10-31T00:00:00Z.`)
    return dayAt(site, at)
  }
  return untilToday({ from: of('start') ?? today - 7, to: of('end') ?? today }, today)
}

/** Most days that are listed: the last ones of a longer period. Reports have at most 2,000 points of time. */
const MAX_DAYS = 1_900

export const lastDays = ({ from, to }: Days): Days => ({ from: Math.max(from, to - MAX_DAYS + 1), to })

export const datesOf = ({ from, to }: Days): string[] => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => dateOf(from + i))

/** Whether a parameter switches something on. */
export const isOn = (given: string | null): boolean => /^(true|1|on)$/.test(given ?? '')

interface CountOf {
  readonly otherwise: number
  readonly max: number
  readonly min?: number
}
/** A number, which is brought into its range, as theirs is. @throws Refused */
export function countIn({ query }: Asked, name: string, { otherwise, max, min = 1 }: CountOf): number {
  const given = query.get(name)
  if (given === null || given === '') return otherwise
  if (!/^-?\d{1,15}$/.test(given)) return refuse(400, `${name} is a number.`)
  return Math.min(Math.max(Number(given), min), max)
}
