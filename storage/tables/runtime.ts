/** Tables of the runtime: events, idempotency keys, tasks, secrets of the installation. */
import { text, bigint, instant, json, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** A secret that an installation on Postgres generated. */
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
    /** The worker that runs it, until its lease ends. */
    leased_by: nullable(text),
    leased_until: nullable(instant),
    last_started_at: nullable(instant),
    last_ended_at: nullable(instant),
    /** Null if the last run succeeded. */
    last_error: nullable(text),
    /** Progress of the current run, or of the last; `total` is null if unknown. */
    done: bigint,
    total: nullable(bigint),
  },
  { key: ['name'] },
)
export type TaskRow = Row<typeof tasks>

/** The entry of a form whose session had ended, or that wants a recent sign-in. */
export const kept_forms = table(
  {
    id: text,
    /** Who it was drawn for: nobody else gets it. */
    account_id: text,
    /** What was typed, without secrets; bound to the id. */
    sealed: text,
    created_at: instant,
  },
  { indexes: [['account_id']] },
)
export type KeptFormRow = Row<typeof kept_forms>
