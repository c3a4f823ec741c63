/** A new alert: its input, and its row. */
import { Type } from '@sinclair/typebox'
import type { Caller } from '../../../runtime/table/caller.ts'
import { failWith } from '../../../runtime/table/errors.ts'
import type { Reach } from '../../../runtime/table/access.ts'
import { OneOf } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { AlertRow } from '../../../storage/tables/index.ts'
import { type ConditionInput, type Kind, resolveCondition } from './condition.ts'
import { conditionFields, fields } from './fields.ts'
import { sensitivities } from './records.ts'
import { unknownIds } from './references.ts'

/** The input of `alerts_create`. */
export const alertInput = {
  name: fields.name,
  kind: fields.kind,
  ...conditionFields,
  window_minutes: Type.Integer({ ...fields.window_minutes, default: 60 }),
  sensitivity: OneOf(sensitivities, { ...fields.sensitivity, default: 'medium' }),
  channel_ids: Type.Array(fields.channel_ids.items, { ...fields.channel_ids, default: [] }),
  enabled: Type.Boolean({ ...fields.enabled, default: true }),
}

/** A usage alert covers the whole workspace; any other covers one site, which `unknownIds` checks. */
export const reachOf = (kind: Kind): Reach => (kind === 'usage' ? 'workspace' : [])

interface NewAlertInput extends ConditionInput, Pick<AlertRow, 'id' | 'name' | 'window_minutes' | 'sensitivity'> {
  readonly kind: Kind
  readonly channel_ids: readonly string[]
  readonly enabled: boolean
}

/** @throws Failure 422 with every fault */
export async function newAlert(
  { db, workspace, caller, now }: { db: Db; workspace: { readonly id: string }; caller: Caller; now: number },
  input: NewAlertInput,
): Promise<AlertRow> {
  const { condition, faults } = resolveCondition(input.kind, input)
  failWith([...faults, ...(await unknownIds(db, { caller, named: { ...condition, kind: input.kind, channels: input.channel_ids } }))])
  return {
    id: input.id,
    workspace_id: workspace.id,
    name: input.name,
    kind: input.kind,
    ...condition,
    window_minutes: input.window_minutes,
    sensitivity: input.sensitivity,
    state: 'ok',
    enabled: Number(input.enabled),
    muted_until: null,
    last_triggered_at: null,
    last_evaluated_at: null,
    created_at: now,
    evaluate_at: input.enabled ? now : null,
    leased_until: null,
    streak: 0,
  }
}
