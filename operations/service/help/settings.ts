import { setting } from '../../../runtime/settings/setting.ts'

export const SECURITY_CONTACT = setting({
  default: '',
  description:
    'Address for reports of vulnerabilities, shown at `/.well-known/security.txt`: `mailto:security@example.com` or an https URL',
  parse: text => (text === '' || /^(mailto:[^\s<>@]+@[^\s<>@]+|https:\/\/[^\s<>]+)$/.test(text) ? text : undefined),
  wants: 'a mailto: or https: address',
})
export const FEEDBACK_EMAIL = setting({
  default: '',
  description: 'Address that feedback is mailed to; Footfall also stores it. Default: only stored',
  parse: text => (text === '' || /^[^\s<>@]+@[^\s<>@]+$/.test(text) ? text : undefined),
  wants: 'an e-mail address',
})
