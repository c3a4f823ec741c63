/** The affiliate program's availability and terms. */
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { sellsPlans } from '../billing/index.ts'
import { AFFILIATE_HOLD_DAYS, AFFILIATE_MONTHS, AFFILIATE_PERCENT, AFFILIATE_THRESHOLD_CENTS } from './settings.ts'
import { m } from './messages.ts'

export const hasProgram = (config: Config): boolean => sellsPlans(config) && config.of(AFFILIATE_PERCENT) > 0

/** @throws Failure `invalid_state` if there is none */
export function demandProgram(config: Config): void {
  if (!sellsPlans(config)) fail('invalid_state', m.sells_nothing())
  if (config.of(AFFILIATE_PERCENT) === 0) fail('invalid_state', m.no_percent())
}

export const termsOf = (config: Config) => ({
  percent: hasProgram(config) ? config.of(AFFILIATE_PERCENT) : 0,
  months: config.of(AFFILIATE_MONTHS),
  hold_days: config.of(AFFILIATE_HOLD_DAYS),
  transfer_threshold_cents: config.of(AFFILIATE_THRESHOLD_CENTS),
})
