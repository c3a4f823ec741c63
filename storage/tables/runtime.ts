/** What the runtime keeps: events, idempotency keys, tasks, secrets of the installation. */

/** What an installation on Postgres keeps for itself. */
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
  /** Hash of the input it was first sent with. */
  fingerprint: string
  /** What was answered, JSON; sealed where there is a secret in it; null while in flight. */
  answer: string | null
  created_at: number
}

export interface TaskRow {
  name: string
  next_at: number
  /** The worker that runs it, until the lease ends. */
  leased_by: string | null
  leased_until: number | null
  last_started_at: number | null
  last_ended_at: number | null
  /** Null when the last run went well. */
  last_error: string | null
  /** How far the run is, or the last one came; `total` null where it is not known. */
  done: number
  total: number | null
}

export interface RuntimeTables {
  instance_secrets: InstanceSecretRow
  events: EventRow
  idempotency_keys: IdempotencyRow
  tasks: TaskRow
}
