import { setting } from '../../../runtime/settings/setting.ts'

export const FEEDBACK_EMAIL = setting({
  default: '',
  description: 'Address that feedback is mailed to; it is stored as well. Default: it is only stored',
  parse: text => (text === '' || /^[^\s<>@]+@[^\s<>@]+$/.test(text) ? text : undefined),
  wants: 'an e-mail address',
})
