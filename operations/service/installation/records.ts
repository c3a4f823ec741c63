import { type Static, Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import type { BackupRow, TaskRow } from '../../../storage/tables/index.ts'

export const ids = { backup: idKind('bak_') }

const InstallationBackup = record(
  'InstallationBackup',
  {
    name: Type.String({ description: 'Name of the file at `BACKUP_URL`.' }),
    started_at: DateTime({ description: 'When it was begun: it has everything that was stored until then.' }),
    verified_at: Nullable(DateTime(), { description: 'When it was read back and checked; null if it was not.' }),
    bytes: Nullable(Type.Integer(), { unit: 'bytes', description: 'Size.' }),
    error: Nullable(Type.String(), { description: 'Why it failed.' }),
  },
  'A backup of the database, or a failed attempt.',
)

const InstallationTask = record(
  'InstallationTask',
  {
    name: Type.String({ description: 'Name of the task.' }),
    last_started_at: Nullable(DateTime(), { description: 'When its last run began.' }),
    last_ended_at: Nullable(DateTime(), { description: 'When its last run ended.' }),
    last_error: Nullable(Type.String(), { description: 'Error of the last run; null if it succeeded.' }),
    next_at: DateTime({ description: 'When it is due.' }),
  },
  'A background task.',
)

const InstallationSite = record(
  'InstallationSite',
  {
    site_id: Type.String({ description: 'The site.' }),
    domain: Type.String({ description: 'Its domain.' }),
    hits: Type.Integer({ description: 'Hits of the last 30 days.' }),
  },
  'A site with many hits.',
)

export const Installation = record(
  'Installation',
  {
    version: Type.String({ description: 'Version of the service.' }),
    commit: Nullable(Type.String(), { description: 'Commit that it was built from.' }),
    schema: Type.String({ description: 'Newest step of the schema of its database.' }),
    database: OneOf(['sqlite', 'postgres'], { description: 'The database.' }),
    database_size: Nullable(Type.Integer(), { unit: 'bytes', description: 'Size of the SQLite file; null with Postgres.' }),
    disk_free: Nullable(Type.Integer(), { unit: 'bytes', description: 'Free space of its disk; null with Postgres.' }),
    workspaces: Type.Integer({ description: 'Number of workspaces.' }),
    sites: Type.Integer({ description: 'Number of sites.' }),
    mail: Type.Boolean({ description: 'Whether a mail server is set (`SMTP_URL`).' }),
    mails_waiting: Type.Integer({ description: 'Mails that were not sent yet.' }),
    has_backups: Type.Boolean({ description: 'Whether Footfall makes backups (`BACKUP_URL`).' }),
    backups: Type.Array(InstallationBackup, { description: 'The newest 20 backups and failed attempts.' }),
    largest_sites: Type.Array(InstallationSite, { description: 'The 20 sites with the most hits in 30 days.' }),
    tasks: Type.Array(InstallationTask, { description: 'Background tasks; failed ones first.' }),
  },
  'The state of the installation, for its operators.',
)

const when = (at: number | null): string | null => (at === null ? null : iso(at))

export const toBackup = ({ name, started_at, verified_at, bytes, error }: BackupRow): Static<typeof InstallationBackup> => ({
  name,
  started_at: iso(started_at),
  verified_at: when(verified_at),
  bytes,
  error,
})

export const toTask = ({ name, last_started_at, last_ended_at, last_error, next_at }: TaskRow): Static<typeof InstallationTask> => ({
  name,
  last_started_at: when(last_started_at),
  last_ended_at: when(last_ended_at),
  last_error,
  next_at: iso(next_at),
})
