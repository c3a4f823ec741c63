/** Tables of the runtime: events, idempotency keys, tasks, secrets of the installation, entries of forms, deleted records. */
import { text, int, bigint, instant, json, nullable, reference } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** A generated value of the installation: its id, and on Postgres its key. */
export const instance_secrets = table(
  {
    name: text,
    value: text,
  },
  { key: ['name'] },
)
export type InstanceSecretRow = Row<typeof instance_secrets>

export const events = table(
  {
    id: text,
    type: text,
    workspace_id: text,
    site_id: nullable(text),
    data: json,
    created_at: instant,
  },
  { indexes: [['workspace_id', 'created_at']] },
)
export type EventRow = Row<typeof events>

export const idempotency_keys = table(
  {
    token_id: text,
    operation: text,
    key: text,
    /** Hash of the first request's input. */
    fingerprint: text,
    /** The answer as JSON, sealed if it has a secret; null while the request is in flight. */
    answer: nullable(json),
    created_at: instant,
  },
  { key: ['token_id', 'operation', 'key'] },
)
export type IdempotencyRow = Row<typeof idempotency_keys>

export const tasks = table(
  {
    name: text,
    next_at: instant,
    /** The worker that runs the task, until its lease ends. */
    leased_by: nullable(text),
    leased_until: nullable(instant),
    last_started_at: nullable(instant),
    last_ended_at: nullable(instant),
    /** Null if the last run succeeded. */
    last_error: nullable(text),
    /** Progress of the current or last run; `total` is null if unknown. */
    done: bigint,
    total: nullable(bigint),
  },
  { key: ['name'] },
)
export type TaskRow = Row<typeof tasks>

/** The entries of a form that could not be submitted because the session had ended or was not recent. */
export const kept_forms = table(
  {
    id: text,
    /** The only account that may read it. */
    account_id: text,
    /** The entries without secrets, sealed and bound to the id. */
    sealed: text,
    created_at: instant,
  },
  { indexes: [['account_id']] },
)
export type KeptFormRow = Row<typeof kept_forms>

/** A record that was deleted and can be restored for some time. Its own table has it no more. */
export const deleted_records = table(
  {
    /** The id that it had, and gets back. */
    id: text,
    /** The table that it was a row of. */
    of: text,
    workspace_id: reference('workspaces'),
    site_id: nullable(text),
    name: text,
    row: json,
    deleted_at: instant,
    deleted_by: text,
  },
  { indexes: [['workspace_id', 'deleted_at'], ['site_id'], ['deleted_at']] },
)
export type DeletedRecordRow = Row<typeof deleted_records>

/** Rows that were deleted along with a record: those that refer to it. */
export const deleted_rows = table(
  {
    record_id: reference('deleted_records'),
    /** Parents come before the rows that refer to them. */
    place: int,
    of: text,
    /** The column that referred to the record and was set to null; null if the rows were deleted. */
    cleared: nullable(text),
    /** JSON list of rows. */
    rows: json,
  },
  { key: ['record_id', 'place'], clustered: true },
)
