/** The form of a warehouse sync: the kind of warehouse, then its address, and what it receives. */
import type { Content } from '../../../runtime/table/page.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { capital } from '../../../runtime/texts/names.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { tableNames } from '../exports/index.ts'
import type { createFields, updateFields } from './fields.ts'
import { m } from './messages.ts'

type Field = keyof typeof updateFields
type Parts = FormParts<Field>

const ofKind = {
  s3: ['format', 'endpoint', 'region', 'bucket', 'prefix', 'access_key_id', 'secret_access_key'],
  postgres: ['host', 'port', 'database', 'schema', 'username', 'password', 'tls'],
} as const satisfies Record<string, readonly Field[]>

export function syncFields(parts: FormParts<keyof typeof createFields>): Content {
  const { reader } = parts
  const sites = parts.choices.get('site_ids') ?? []
  const { destination } = parts.begin({ destination: 's3', ...(sites.length === 1 && { site_ids: sites.map(({ id }) => id) }) })
  const kinds = parts.kinds(
    'destination',
    [
      { value: 's3', icon: 'file', label: say(reader, m.kind_s3), help: say(reader, m.kind_s3_help) },
      { value: 'postgres', icon: 'server', label: say(reader, m.kind_postgres), help: say(reader, m.kind_postgres_help) },
    ],
    { label: say(reader, m.kind_of_warehouse) },
  )
  parts.without('enabled')
  return (
    <>
      {kinds}
      {restOf(parts, destination === 'postgres')}
    </>
  ) as Content
}

export const syncChange = (parts: Parts): Content => restOf(parts, parts.record?.destination === 'postgres')

function restOf(parts: Parts, isDatabase: boolean): Content {
  const { reader, isNew } = parts
  const called = (message: PlainMessage): string => say(reader, message)
  parts.without(...ofKind[isDatabase ? 's3' : 'postgres'])
  return (
    <>
      {isDatabase ? <Database parts={parts} /> : <Bucket parts={parts} />}
      {parts.field('site_ids', { label: called(m.sites_label), help: '' })}
      {parts.field('tables', {
        label: called(m.tables_label),
        help: called(m.tables_help),
        options: tableNames.map(name => [name, capital(valueWords(name, reader))] as const),
      })}
      {parts.field('backfill_from', { label: called(m.since_label), help: called(m.since_help) })}
      {!isNew && parts.field('enabled', { help: '' })}
      {parts.more(undefined, {
        name: { help: called(m.name_help) },
        format: { help: '', blank: valueWords('parquet', reader) },
        prefix: { label: called(m.folder_label), help: '', placeholder: 'footfall' },
        endpoint: { label: called(m.endpoint_label), help: called(m.endpoint_help), placeholder: 'https://' },
        schema: { help: '', placeholder: 'public' },
        tls: { label: called(m.tls_label), help: called(m.tls_help) },
      })}
    </>
  ) as Content
}

function Bucket({ parts }: { parts: Parts }) {
  const { reader, isNew } = parts
  return (
    <>
      <div class="pair">
        {parts.field('bucket', { help: '', isWanted: true })}
        {parts.field('region', { help: '', placeholder: 'us-east-1' })}
      </div>
      <div class="pair">
        {parts.field('access_key_id', { label: say(reader, m.key_label), help: say(reader, m.key_help), isWanted: true })}
        {parts.field('secret_access_key', {
          label: say(reader, m.secret_label),
          help: say(reader, m.secret_help),
          ...(isNew && { isWanted: true as const }),
        })}
      </div>
    </>
  )
}

function Database({ parts }: { parts: Parts }) {
  const { reader, isNew } = parts
  return (
    <>
      <div class="pair">
        {parts.field('host', { help: '', placeholder: 'db.example.com', isWanted: true })}
        {parts.field('port', { help: '', placeholder: '5432' })}
      </div>
      {parts.field('database', { help: '', isWanted: true })}
      <div class="pair">
        {parts.field('username', { help: say(reader, m.user_help), isWanted: true })}
        {parts.field('password', { help: say(reader, m.secret_help), ...(isNew && { isWanted: true as const }) })}
      </div>
    </>
  )
}
