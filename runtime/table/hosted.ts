/**
 * A page or an endpoint that is also served at a host of the user's own, with a shorter address.
 * Such a host is known by the `Host` header, so a proxy in front of us passes that on.
 */
import type { Db } from '../../storage/store.ts'

export interface Hosted {
  /** Without `.json`: `/`, `/feed.atom`. */
  readonly path: `/${string}`
  /** The parameters of its usual path for this host, as the header has it; undefined if the host is not its own. */
  find(host: string, db: Db): Promise<Readonly<Record<string, string>> | undefined>
}
