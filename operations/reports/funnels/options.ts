/** How visits go through a funnel: the order of its steps, the time for all of them, and by what they are divided. */
import { Type } from '@sinclair/typebox'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import { brief, OneOf, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { visitDimensions } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

export const ORDERS = ['any_between', 'strict'] as const

const unitMs: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }
const MAX_DAYS = 90

export const windowMs = (window: string): number => Number(window.slice(0, -1)) * (unitMs[window.slice(-1)] ?? 0)
/** Only people are known for more than a visit. */
export const isOfDays = (window: string | undefined): boolean => window?.endsWith('d') === true

export const optionsInput = {
  order: OneOf(ORDERS, {
    default: 'any_between',
    description: '`any_between`: other pages and events may lie between two steps. `strict`: each step directly follows the one before.',
    [brief]: { description: 'strict: nothing in between.' },
  }),
  window: optional(
    Type.String({
      pattern: '^[1-9]\\d{0,3}[mhd]$',
      maxLength: 5,
      description: `Longest time from the first step to the last, in minutes, hours or days: \`30m\`, \`2h\`, \`7d\`; at most ${MAX_DAYS}d. In minutes and hours, all steps are in one visit. In days, it counts people whom the site identifies, over all of their visits.`,
      [brief]: { description: '`30m`, `2h`; `7d` counts people over several visits.' },
      [checkedBy]: given => windowFaults(String(given)),
    }),
  ),
  by: optional(
    OneOf(visitDimensions, {
      description:
        'Divides the funnel by a dimension of visits, for example `channel`, `source` or `device`. People are divided by the visit with their first step.',
      [brief]: { description: 'Dimension of visits, such as `device`.', enum: undefined },
    }),
  ),
  limit: Type.Integer({ unit: 'count', default: 10, minimum: 1, maximum: 50, description: 'Most values of `by`.' }),
  times: Type.Boolean({
    default: true,
    description: 'Whether to count the times between steps. Without them, the answer is faster if days are in ClickHouse.',
    [brief]: { description: 'Times between steps.' },
  }),
}

export interface FunnelOptions {
  readonly order?: (typeof ORDERS)[number]
  readonly window?: string | undefined
  readonly by?: string | undefined
  readonly limit?: number
  readonly times?: boolean
}

function windowFaults(window: string): Fault[] {
  if (windowMs(window) <= MAX_DAYS * (unitMs.d ?? 0)) return []
  return [{ pointer: '/window', code: 'too_large', message: m.window_too_long({ field: fieldTerm('window'), most: MAX_DAYS }) }]
}

/** @throws Failure 422 if people are asked for whom the site does not identify */
export function checkOptions({ window }: FunnelOptions, { identity }: { readonly identity: string }): void {
  const isUnknown = isOfDays(window) && identity === 'off'
  failWith([
    ...(window === undefined ? [] : windowFaults(window)),
    ...(isUnknown ? [{ pointer: '/window', code: 'mismatch' as const, message: m.no_people({ field: fieldTerm('window') }) }] : []),
  ])
}
