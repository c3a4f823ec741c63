/** Destinations of a sync: the fields that each kind of destination requires, and faults of the input. */
import { m } from './messages.ts'
import { fieldTerm, type Message, type Term, valueTerm } from '../../../runtime/texts/message.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { DetailCode, Fault } from '../../../runtime/table/errors.ts'
import { bareHost, OutboundError, refusal, urlFaults } from '../../../runtime/outbound/outbound.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import type { destinations } from './records.ts'

type Kind = (typeof destinations)[number]

const s3 = ['format', 'endpoint', 'region', 'bucket', 'prefix', 'access_key_id'] as const
const postgres = ['host', 'port', 'database', 'schema', 'username', 'tls'] as const
type Field = (typeof s3)[number] | (typeof postgres)[number]
export type Address = Pick<WarehouseSyncRow, Field>

interface Declaration {
  readonly fields: readonly Field[]
  readonly needed: readonly Field[]
  readonly defaults: Partial<Address>
  /** The input with its secret. */
  readonly secret: 'secret_access_key' | 'password'
  /** Fields whose change requires the secret again, because the secret would be sent to another server. */
  readonly guarded: readonly Field[]
}

export const kinds: Readonly<Record<Kind, Declaration>> = {
  s3: {
    fields: s3,
    needed: ['bucket', 'access_key_id'],
    defaults: { format: 'parquet', region: 'us-east-1', prefix: 'footfall' },
    secret: 'secret_access_key',
    guarded: ['endpoint', 'access_key_id'],
  },
  postgres: {
    fields: postgres,
    needed: ['host', 'database', 'username'],
    defaults: { port: 5432, schema: 'public', tls: 'verify' },
    secret: 'password',
    guarded: ['host', 'port', 'username', 'tls'],
  },
}

const all: readonly Field[] = [...s3, ...postgres]

export type AddressInput = { readonly [F in Field]?: Address[F] | '' | undefined } & {
  readonly secret_access_key?: string | null | undefined
  readonly password?: string | null | undefined
}

export interface Settled {
  readonly address: Address
  /** Undefined if the stored secret stays. */
  readonly secret: string | undefined
  readonly faults: readonly Fault[]
  /** Whether the destination changed, so that everything must be sent again. */
  readonly isElsewhere: boolean
}

interface SettleAddress {
  readonly kind: Kind
  readonly given: AddressInput
  readonly before: Address | undefined
  readonly config: Config
}

/** The address of a new or changed sync, and every fault of the input. A field that is left out keeps its value. */
export function settleAddress({ kind, given, before, config }: SettleAddress): Settled {
  const { fields, needed, defaults, secret: secretField, guarded } = kinds[kind]
  const faults: Fault[] = []
  const fault = (field: string, code: DetailCode, message: (params: { field: Term; kind: Term }) => Message) =>
    faults.push({ pointer: `/${field}`, code, message: message({ field: fieldTerm(field), kind: valueTerm(kind) }) })

  const valueOf = (field: Field): string | number | null => {
    const value = given[field]
    if (!fields.includes(field)) {
      if (value !== undefined && value !== null && value !== '') fault(field, 'mismatch', m.field_not_used)
      return null
    }
    if (value === undefined && before) return before[field]
    const chosen = value === undefined || value === null || (value === '' && field !== 'prefix') ? (defaults[field] ?? null) : value
    if (chosen === null && needed.includes(field)) fault(field, 'required', m.field_required)
    return chosen
  }
  const text = (field: Field): string | null => {
    const value = valueOf(field)
    return value === null ? null : String(value).trim()
  }
  const address: Address = {
    format: text('format'),
    endpoint: text('endpoint')?.replace(/\/+$/, '') ?? null,
    region: text('region'),
    bucket: text('bucket'),
    prefix: text('prefix')?.replace(/^\/+|\/+$/g, '') ?? null,
    access_key_id: text('access_key_id'),
    host: text('host'),
    port: Number(valueOf('port')) || null,
    database: text('database'),
    schema: text('schema'),
    username: text('username'),
    tls: text('tls'),
  }
  for (const field of ['secret_access_key', 'password'] as const) {
    if (field !== secretField && given[field]) fault(field, 'mismatch', m.field_not_used)
  }
  const secret = given[secretField] || undefined
  const isOther = before !== undefined && guarded.some(field => before[field] !== address[field])
  if (secret === undefined && !before) fault(secretField, 'required', m.field_required)
  if (secret === undefined && isOther)
    fault(secretField, 'required', ({ field }) => m.secret_required({ field, changed: guarded.map(fieldTerm) }))
  faults.push(...formatFaults(address, secret, secretField), ...reachFaults(address, config))
  return { address, secret, faults, isElsewhere: before !== undefined && all.some(field => before[field] !== address[field]) }
}

const formats: readonly (readonly [Field, RegExp, (params: { field: Term }) => Message])[] = [
  ['region', /^[a-z0-9-]{1,40}$/, m.not_a_region],
  ['bucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, m.not_a_bucket],
  ['prefix', /^(?!.*(^|\/)\.{0,2}\/)(?!.*(^|\/)\.{1,2}$)[\w./=-]*$/, m.not_a_prefix],
  ['access_key_id', /^[!-~]{1,200}$/, m.not_ascii],
  ['database', /^[^\p{Cc}]+$/u, m.control_characters],
  ['schema', /^[^\p{Cc}]+$/u, m.control_characters],
  ['username', /^[^\p{Cc}]+$/u, m.control_characters],
]

function formatFaults(address: Address, secret: string | undefined, secretField: string): Fault[] {
  const faults = formats.flatMap(([field, format, message]): Fault[] => {
    const value = address[field]
    return value === null || format.test(String(value))
      ? []
      : [{ pointer: `/${field}`, code: 'invalid_format', message: message({ field: fieldTerm(field) }) }]
  })
  if (secret !== undefined && /\p{Cc}/u.test(secret)) {
    faults.push({ pointer: `/${secretField}`, code: 'invalid_format', message: m.control_characters({ field: fieldTerm(secretField) }) })
  }
  return faults
}

/** Faults of the address that can be found without DNS. */
function reachFaults({ endpoint, host, tls }: Address, config: Config): Fault[] {
  const faults: Fault[] = []
  if (endpoint !== null) {
    const found = urlFaults(endpoint, config, 'endpoint')
    faults.push(...found)
    if (found.length === 0 && !/^https?:\/\/[^/?#]+$/i.test(endpoint)) {
      faults.push({ pointer: '/endpoint', code: 'invalid_format', message: m.endpoint_has_more({ field: fieldTerm('endpoint') }) })
    }
  }
  if (host !== null) {
    const fault = (message: (params: { field: Term }) => Message) =>
      faults.push({ pointer: '/host', code: 'invalid_format', message: message({ field: fieldTerm('host') }) })
    try {
      const { name, isAddress } = bareHost(host)
      const guard = { allow: config.OUTBOUND_ALLOW_CIDRS, onlyAllowed: tls === 'off' }
      if (refusal(new URL(`http://${isAddress && name.includes(':') ? `[${name}]` : name}/`), guard)) {
        fault(m.host_not_public)
      }
    } catch (thrown) {
      if (!(thrown instanceof OutboundError)) throw thrown
      fault(m.not_a_host)
    }
  }
  if (tls === 'off' && config.OUTBOUND_ALLOW_CIDRS.length === 0) {
    faults.push({ pointer: '/tls', code: 'mismatch', message: m.tls_off({ field: fieldTerm('tls') }) })
  }
  return faults
}

/** The default name. */
export const nameOf = (kind: Kind, { bucket, prefix, host, database }: Address): string =>
  (kind === 's3' ? [bucket, prefix] : [host, database]).filter(Boolean).join('/').slice(0, 100)
