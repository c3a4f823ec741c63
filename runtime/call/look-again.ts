/**
 * Looks again at who calls, with the rights of now: the input, its preparation or a lock may have taken long, and a request that was begun
 * before must not outlive its credential.
 */
import { asOfNow } from '../../storage/snapshots/snapshots.ts'
import { isTransaction } from '../../storage/store.ts'
import { authenticateAgain } from './authenticate.ts'
import type { Call } from './call.ts'
import { checkCaller } from './find-subjects.ts'
import { reloadSubjects } from './lock-subjects.ts'

/** In the transaction of a write, the subjects are read again already. @throws Failure as the steps that it repeats */
export async function lookAgain(call: Call): Promise<void> {
  if (!isTransaction(call.db)) {
    call.db = asOfNow(call.core.store.read)
    await reloadSubjects(call)
  }
  await authenticateAgain(call)
  checkCaller(call)
}
