import { setting } from '../../../runtime/settings/setting.ts'

export const FEEDBACK_EMAIL = setting({
  default: '',
  description: 'Address that feedback is mailed to; Footfall also stores it. Default: only stored',
  parse: text => (text === '' || /^[^\s<>@]+@[^\s<>@]+$/.test(text) ? text : undefined),
  wants: 'an e-mail address',
})
