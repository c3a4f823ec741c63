/** Checks a write's precondition against the record as it is now, locked until the transaction ends. */
import { isObject } from '../values/json.ts'
import { type Current, type Versioned, versionedBy, versionOf } from '../table/record-versions.ts'
import { withDefaults } from '../table/validate.ts'
import type { Call } from './call.ts'
import { reloadSubjects } from './lock-subjects.ts'
import { run } from './run.ts'

/** Runs after the key was claimed, because a repeated request refers to an earlier version. @throws Failure of the precondition */
export async function checkPrecondition(call: Call): Promise<void> {
  const { precondition } = call.request
  if (!precondition) return
  const versioned = versionedBy(call.core.table).get(call.operation.id)
  precondition(versioned && (await currentOf(call, versioned)))
}

/** The record as its read operation answers this caller. No permission to read is needed: the answer does not contain it. */
export async function currentOf(call: Call, versioned: Versioned): Promise<Current | undefined> {
  const { read } = versioned
  const { input } = withDefaults(read.input, {})
  const reading: Call = { ...call, operation: read, handed: { ...call.handed }, input: { ...input, ...call.path }, cookies: [] }
  await reloadSubjects(reading)
  await run(reading)
  const record = reading.answer?.data
  return isObject(record) ? { record, version: versionOf(versioned, record) } : undefined
}
