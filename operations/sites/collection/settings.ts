/** Settings for limits and retention of hits, and for the geo database. */
import { existsSync } from 'node:fs'
import { setting, whole } from '../../../runtime/settings/setting.ts'

export const CARDINALITY_PATHS = setting({
  default: '20000',
  description: 'New paths per site and day, and new values of each other dimension; further ones count as `(other)`',
  ...whole(1, 100_000_000),
})
export const CARDINALITY_NAMES = setting({
  default: '1000',
  description: 'New names of events per site and day, and new keys of properties',
  ...whole(1, 1_000_000),
})
export const CARDINALITY_VALUES = setting({
  default: '5000',
  description: 'New values of one property per site and day',
  ...whole(1, 100_000_000),
})
export const RETENTION_DAYS = setting({
  default: '0',
  description: 'Number of full days for which visits and hits are kept, 31 or more; 0 = forever',
  parse: text => (/^\d{1,5}$/.test(text) && (Number(text) === 0 || Number(text) >= 31) ? Number(text) : undefined), // so that the usage of the current month stays complete
  wants: '0 or a whole number from 31 to 99999',
})
export const ASN_DATABASE = setting({
  default: '',
  description: 'MMDB file with networks (GeoLite2 ASN, DB-IP ASN, IPinfo); default: well-known networks, bundled',
  parse: text => (text === '' || existsSync(text) ? text : undefined),
  wants: 'the path of an MMDB file that exists',
})
export const GEOIP_DATABASE = setting({
  default: '',
  description: 'MMDB file with cities (GeoLite2 City, DB-IP); default: countries only, bundled',
  parse: text => (text === '' || existsSync(text) ? text : undefined),
  wants: 'the path of an MMDB file that exists',
})
export const HITS_SPOOL = setting({
  default: '',
  description:
    'Folder, on a local disk, for hits that arrive while the database is away; `off` answers them with 503. Default: with Postgres `data/spool` in the working directory, with SQLite the same, but only while the database is moved (docs/operations.md)',
  parse: text => text || 'default',
  wants: 'a folder, or `off`',
})
export const HITS_SPOOL_MB = setting({
  default: '1000',
  description: 'Most space that waiting hits take, MB: a hit takes about 1 KB. Further ones are answered with 503',
  ...whole(1, 1_000_000),
})
export const HITS_SPOOL_HOURS = setting({
  default: '24',
  description: 'Most hours that hits wait; then further ones are answered with 503. Hits of days that ended 48 hours ago cannot be stored',
  ...whole(1, 24),
})
