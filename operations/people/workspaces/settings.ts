import { setting, whole } from '../../../runtime/setting.ts'

export const USAGE_LIMIT = setting({
  default: '0',
  description: 'Hits a month of a workspace that usage alerts and `usage.threshold` count towards; 0 = no limit',
  ...whole(0, 1_000_000_000_000),
})
