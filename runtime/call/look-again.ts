/** Authenticates again who sent the input of a write late: otherwise, a request that was begun before would outlive its credential. */
import { asOfNow } from '../../storage/snapshots/snapshots.ts'
import { authenticate } from './authenticate.ts'
import type { Call } from './call.ts'
import { findSubjects } from './find-subjects.ts'

const LATE_MS = 100

/** @throws Failure as the steps that it repeats */
export async function lookAgain(call: Call): Promise<void> {
  const { core, place } = call
  if (core.now() - call.at < LATE_MS) return
  call.at = core.now()
  call.db = asOfNow(core.store.read)
  Object.assign(place, { workspaceId: undefined, siteId: null })
  await authenticate(call)
  await findSubjects(call)
}
