import { setting, whole } from '../../../runtime/settings/setting.ts'
import { isOthers } from './redirect.ts'

export const OAUTH_REGISTRATIONS = setting({
  default: '30',
  description: 'OAuth clients that may register per hour from one IP address (an IPv6 address counts as its /64); 0 = no limit',
  ...whole(0, 1_000_000),
})

export const OAUTH_SCHEMES = setting({
  default: '',
  description:
    'schemes without a dot that OAuth clients may redirect to, such as `cursor`; any other program on the computer can claim them as well',
  parse(text: string): string[] | undefined {
    const schemes = text
      .split(',')
      .map(each => each.trim())
      .filter(Boolean)
    return schemes.every(each => /^[a-z][a-z0-9+-]{1,40}$/.test(each) && !/^https?$/.test(each) && !isOthers(each)) ? schemes : undefined
  },
  wants: 'a comma-separated list of lower-case schemes',
})
