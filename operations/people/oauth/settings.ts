import { setting, whole } from '../../../runtime/setting.ts'

export const OAUTH_REGISTRATIONS = setting({
  default: '30',
  description: 'OAuth clients that may register in an hour from one address (of IPv6 its /64); 0 = no limit',
  ...whole(0, 1_000_000),
})
