import { existsSync } from 'node:fs'
import { setting } from '../../../runtime/settings/setting.ts'

export const SPAM_REFERRERS_FILE = setting({
  default: '',
  description: 'File with further domains of referrer spam, one per line, for example Matomo’s public-domain `spammers.txt`',
  parse: text => (text === '' || existsSync(text) ? text : undefined),
  wants: 'the path of a text file that exists',
})
