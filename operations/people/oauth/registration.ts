/** Dynamic registration (RFC 7591). It is open to anyone, so it gives only an id, and is rate-limited. */
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { makeId } from '../../../runtime/values/ids.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'
import { networkOf } from '../../../runtime/outbound/network.ts'
import { countShared, tooMany } from '../../../runtime/call/shared-rate.ts'
import { ids } from './client.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { registrationMs } from './lifetimes.ts'
import { OAUTH_REGISTRATIONS } from './settings.ts'

const windowMs = HOUR_MS
/** Registrations of all addresses together. */
const maxInAll = 3_000

/** @returns the registered metadata, from which a client learns whether its request was changed @throws Failure `rate_limited` */
export async function registered(
  app: HandlerServices,
  ip: string,
  { name, redirectUris }: ClientMetadata,
): Promise<Record<string, unknown>> {
  const { store, config, random } = app
  const now = app.now()
  const id = makeId(ids.oauth_client, now, random(14))
  const limit = config.of(OAUTH_REGISTRATIONS)
  const wait = await store.transaction(async trx => {
    const seconds =
      (await countShared(trx, { sharedLimit: { name: 'oauth-register', limit, windowMs }, who: networkOf(ip), now })) ||
      (await countShared(trx, { sharedLimit: { name: 'oauth-register-all', limit: limit && maxInAll, windowMs }, who: 'all', now }))
    if (seconds > 0) return seconds
    await trx
      .insertInto('oauth_clients')
      .values({ id, name, redirect_uris: JSON.stringify(redirectUris), created_at: now, expires_at: now + registrationMs })
      .execute()
    return 0
  })
  if (wait > 0) tooMany(wait)
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
