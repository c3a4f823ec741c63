import { setting, whole } from '../../../runtime/settings/setting.ts'
import { locationIn } from '../../exchange/files/index.ts'

const ADDRESS = /^[^\s,@]{0,64}@[^\s,@]{1,255}$/

export const BACKUP_URL = setting({
  default: '',
  description:
    'Location of backups that Footfall makes itself, with Postgres by `pg_dump`: `file:…`, a folder on another disk, or `s3://KEY:SECRET@bucket/prefix?region=…&endpoint=…`. Default: none are made (docs/install.md)',
  parse: text => (text === '' ? 'none' : locationIn(text)),
  wants: '"file:" and a folder, or s3://KEY:SECRET@bucket/prefix?region=…&endpoint=https://…',
})

export const BACKUP_HOURS = setting({ default: '24', description: 'Hours from one backup to the next', ...whole(1, 720) })

export const BACKUP_KEEP = setting({
  default: '14',
  description: 'Number of backups to keep; Footfall deletes older ones that it made',
  ...whole(1, 1_000),
})

export const OPERATORS = setting({
  default: '',
  description:
    'Comma list of e-mail addresses, or domains such as `@example.com`, proved by a mailed link, of accounts that see the page of the installation and receive its mails. Default: the owners of the oldest workspace, unless `SIGN_UP` is open',
  parse: text => {
    const list = text
      .split(',')
      .map(part => part.trim().toLowerCase())
      .filter(Boolean)
    return list.every(each => ADDRESS.test(each)) ? list : undefined
  },
  wants: 'a comma list of e-mail addresses, or of domains such as @example.com',
})
