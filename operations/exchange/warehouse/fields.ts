/** The inputs of a sync. Which of them apply depends on its destination: destination.ts. */
import { type TSchema, Type } from '@sinclair/typebox'
import { CalendarDay, Id, Name, Nullable, OneOf, optional, shownWith, help } from '../../../runtime/table/schema.ts'
import { tableNames } from '../exports/index.ts'
import { destinations, formats, limits, tlsModes } from './records.ts'

const empties = <T extends TSchema>(schema: T, description: string) => optional(Nullable(schema, { description }))
/** A field of only one kind of destination. @param helpText the help of its form, which shows it only for that kind */
const only = <T extends TSchema>(kind: (typeof destinations)[number], schema: T, description: string, helpText?: string) =>
  optional(
    Nullable(schema, {
      description: `${kind}: ${description}`,
      [shownWith]: { field: 'destination', values: [kind] },
      ...(helpText !== undefined && { [help]: helpText }),
    }),
  )
const text = (maxLength: number) => Type.String({ maxLength })

const common = {
  name: empties(Name({ minLength: 0, maxLength: 100 }), 'Name shown in lists; defaults to the destination.'),
  backfill_from: empties(CalendarDay(), 'First day to send; defaults to the first day with data.'),
}

const address = {
  format: only('s3', OneOf(formats), 'format of the files, `parquet` by default.', 'Format of the files. Empty: Parquet.'),
  endpoint: only(
    's3',
    text(500),
    'address of a service other than AWS; https, or http within OUTBOUND_ALLOW_CIDRS.',
    'Address of the service, if it is not AWS. Empty: AWS.',
  ),
  region: only('s3', text(40), 'region, `us-east-1` by default.', 'Empty: us-east-1.'),
  bucket: only('s3', text(63), 'required.', 'Name of the bucket.'),
  prefix: only('s3', text(200), 'prefix of the keys, `footfall` by default.', 'Folder in the bucket. Empty: footfall.'),
  access_key_id: only('s3', text(200), 'required.', 'Of a user who may write to the bucket.'),
  secret_access_key: only('s3', text(500), 'required; never shown again.', 'It is never shown again.'),
  host: only('postgres', text(253), 'required: host name or address.', 'Host name or address of the database.'),
  port: only('postgres', Type.Integer({ minimum: 1, maximum: 65_535 }), '5432 by default.', 'Empty: 5432.'),
  database: only('postgres', text(63), 'required.', 'Name of the database.'),
  schema: only('postgres', text(63), 'schema of the tables, `public` by default.', 'Schema of the tables. Empty: public.'),
  username: only('postgres', text(63), 'required.', 'A user who may create tables there.'),
  password: only('postgres', text(500), 'required; never shown again.', 'It is never shown again.'),
  tls: only(
    'postgres',
    OneOf(tlsModes),
    '`verify` by default; `off` only within OUTBOUND_ALLOW_CIDRS.',
    'Off only within networks that the operator allows.',
  ),
}

const siteIds = Type.Array(Id({ description: 'A site.' }), { minItems: 1, maxItems: limits.sites, description: 'Sites to send.' })
const tables = Type.Array(OneOf(tableNames), { minItems: 1, maxItems: 10, description: 'Tables to send for each day.' })
const enabled = Type.Boolean({ description: 'Whether the sync sends data.' })

export const createFields = {
  destination: OneOf(destinations, { description: 'Files in a bucket, or tables in a database; cannot be changed later.' }),
  site_ids: siteIds,
  tables: Type.Array(OneOf(tableNames), { ...tables, default: ['hits', 'visits'] }),
  ...common,
  ...address,
  enabled: Type.Boolean({ ...enabled, default: true }),
}

export const updateFields = {
  site_ids: optional(siteIds),
  tables: optional(tables),
  ...common,
  ...address,
  enabled: optional(enabled),
}
