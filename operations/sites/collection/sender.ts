/** The sender of hits. */
import type { Caller } from '../../../runtime/table/caller.ts'
import type { ClientHints } from './enrich/client-hints.ts'

/** The sender, as the request shows. */
export interface Sender {
  readonly ip: string
  readonly userAgent: string
  readonly acceptLanguage: string
  /** Client hints of the browser. A hint that it does not send is ''. */
  readonly hints?: ClientHints
  /** Set if the request has a token. Otherwise, the claims of the hit are ignored. */
  readonly caller: Caller | undefined
}
