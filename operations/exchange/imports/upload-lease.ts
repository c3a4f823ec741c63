/**
 * One request at a time writes the file of an import, in whichever process. The lease lasts while bytes arrive, so a silently
 * broken connection blocks others no longer than that.
 */
import { m } from './messages.ts'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { Bytes } from '../../../runtime/table/answer-kinds.ts'

const LEASE_MS = 30_000
const RENEW_MS = 5_000

export interface UploadLease {
  /** Passes the bytes on while the lease lasts. @throws Failure `invalid_state` once another request has taken over, or the import was started */
  whileLeased(bytes: Bytes): Bytes
  /** Records that the file is complete, with this size. */
  recordSize(bytes: number): Promise<void>
  end(): Promise<void>
}

/** @param bytes size that the upload declares, so that a part of a file is never taken for the whole @returns undefined while another request has it */
export async function takeUpload(
  { store, now, random }: HandlerServices,
  id: string,
  bytes: number | null,
): Promise<UploadLease | undefined> {
  const by = random(12).toString('hex')
  const taken = await store.write
    .updateTable('imports')
    .set({ bytes, upload_by: by, upload_until: now() + LEASE_MS, updated_at: now() })
    .where('id', '=', id)
    .where('status', '=', 'awaiting_upload')
    .where(({ eb, or }) => or([eb('upload_until', 'is', null), eb('upload_until', '<=', now())]))
    .executeTakeFirstOrThrow()
  if (taken.numUpdatedRows === 0n) return undefined

  const mine = () => store.write.updateTable('imports').where('id', '=', id).where('upload_by', '=', by)
  return {
    async *whileLeased(bytes) {
      let renewAt = now() + RENEW_MS
      for await (const piece of bytes) {
        if (now() >= renewAt) {
          renewAt = now() + RENEW_MS
          const { numUpdatedRows } = await mine()
            .where('status', '=', 'awaiting_upload')
            .set({ upload_until: now() + LEASE_MS })
            .executeTakeFirstOrThrow()
          if (numUpdatedRows === 0n) fail('invalid_state', m.taken_over())
        }
        yield piece
      }
    },
    async recordSize(bytes) {
      await mine().set({ bytes }).execute()
    },
    async end() {
      await mine().set({ upload_by: null, upload_until: null }).execute()
    },
  }
}
