/** Tables of the runtime: events, idempotency keys, tasks, secrets of the installation. */

/** A secret that an installation on Postgres generated. */
export interface InstanceSecretRow {
  name: string
  value: string
}

export interface EventRow {
  id: string
  type: string
  workspace_id: string
  site_id: string | null
  data: string
  created_at: number
}

export interface IdempotencyRow {
  token_id: string
  operation: string
  key: string
  /** Hash of the first request's input. */
  fingerprint: string
  /** The answer as JSON, sealed if it has a secret; null while the request is in flight. */
  answer: string | null
  created_at: number
}

export interface TaskRow {
  name: string
  next_at: number
  /** The worker that runs it, until its lease ends. */
  leased_by: string | null
  leased_until: number | null
  last_started_at: number | null
  last_ended_at: number | null
  /** Null if the last run succeeded. */
  last_error: string | null
  /** Progress of the current run, or of the last; `total` is null if unknown. */
  done: number
  total: number | null
}

/** The entry of a form whose session had ended, or that wants a recent sign-in. */
export interface KeptFormRow {
  id: string
  /** Who it was drawn for: nobody else gets it. */
  account_id: string
  /** What was typed, without secrets; bound to the id. */
  sealed: string
  created_at: number
}

export interface RuntimeTables {
  kept_forms: KeptFormRow
  instance_secrets: InstanceSecretRow
  events: EventRow
  idempotency_keys: IdempotencyRow
  tasks: TaskRow
}
