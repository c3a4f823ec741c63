import { setting, whole } from '../../../runtime/settings/setting.ts'

export const AFFILIATE_PERCENT = setting({
  default: '0',
  description: 'Share of payments without tax that affiliates get, in percent; 0 = no affiliate program (docs/affiliate.md)',
  ...whole(0, 100),
})
export const AFFILIATE_MONTHS = setting({
  default: '12',
  description: 'Months from the first payment of a customer in which commissions are earned',
  ...whole(1, 120),
})
export const AFFILIATE_HOLD_DAYS = setting({
  default: '30',
  description: 'Days from a payment to when its commission can be paid out: the time in which customers can request a refund',
  ...whole(0, 365),
})
export const AFFILIATE_THRESHOLD_CENTS = setting({
  default: '5000',
  description: 'Minimum amount of a bank transfer, in minor units',
  ...whole(0, 100_000_000),
})
