import { setting } from '../../../runtime/settings/setting.ts'
import { locationIn } from './location.ts'

export const FILES_URL = setting({
  default: '',
  description:
    'Location of uploads for imports and files of exports: `file:…`, a folder that all processes share, or `s3://KEY:SECRET@bucket/prefix?region=…&endpoint=…`, a bucket. It belongs to this installation only. Default: `footfall-files` next to a SQLite file `footfall.db`; with Postgres `data/files` in the working directory',
  parse: text => (text === '' ? 'default' : locationIn(text)),
  wants:
    '"file:" and a folder, or s3://KEY:SECRET@bucket/prefix?region=…&endpoint=https://…, with special characters of the secret encoded, for example %2F',
})
