import { existsSync } from 'node:fs'
import { setting } from '../../../runtime/settings/setting.ts'

export const CRAWLER_RANGES_FILE = setting({
  default: '',
  description:
    'File with all published addresses of crawlers, as `npm run crawlers -- --ranges FILE` writes; without it, no request counts as spoofed',
  parse: text => (text === '' || existsSync(text) ? text : undefined),
  wants: 'the path of a JSON file that exists',
})
