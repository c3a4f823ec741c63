/** Receives the script's confirmation that it runs: a page of the site was opened with the nonce of its verification. */
import type { HandlerServices } from '../../../runtime/table/services.ts'

/** @returns whether the nonce was right, and the IP address of the sender */
export async function confirm(
  app: HandlerServices,
  { siteId, nonce, ip }: { siteId: string; nonce: unknown; ip: string },
): Promise<{ confirmed: boolean; ip: string }> {
  if (typeof nonce !== 'string' || !/^\w{20,40}$/.test(nonce)) return { confirmed: false, ip }
  const now = app.now()
  const { numUpdatedRows } = await app.store.write
    .updateTable('site_tracking')
    .set({ confirmed_at: now })
    .where('site_id', '=', siteId)
    .where('nonce', '=', nonce)
    .where('nonce_expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return { confirmed: numUpdatedRows > 0n, ip }
}
