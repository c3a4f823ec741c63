/** The context of one POST to `/mcp`: its sender, the tools its URL selects, and headers for its answer. */
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { maxFaults } from '../../runtime/table/errors.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { type BriefTool, type Listing, listingOf } from './compact-tools.ts'
import { type Offer, offerOf } from './tool-selection.ts'

export interface McpRequest {
  readonly app: App
  readonly headers: Headers
  readonly ip: string
  readonly requestId: string
  /** Whether the message is one of several in the POST. */
  readonly inBatch: boolean
  /** The number of faults that the answers to this POST may still list. */
  readonly left: { faults: number }
  /** Authenticates the sender, once for each POST. @throws Failure */
  identify(): Promise<Caller>
  /** @throws ProtocolFault */
  offer(): Offer
  /** These operations as a list of tools, as the URL asks for it. */
  listed(operations: readonly NamedOperation[]): BriefTool[]
  /** Keeps headers of an operation's answer for the HTTP answer: rate limits, and `Cache-Control` of an answer with a secret. */
  note(headers: Readonly<Record<string, string>>): void
  readonly noted: Readonly<Record<string, string>>
}

type Given = Pick<McpRequest, 'app' | 'headers' | 'ip' | 'requestId'> & { readonly query: URLSearchParams }

export function openRequest({ query, ...given }: Given): McpRequest {
  const { app, headers, ip } = given
  const noted: Record<string, string> = {}
  let caller: Promise<Caller> | undefined
  const offer = () => (query.size === 0 ? described(app.table).everything : offerOf(app.table, query))
  const note = (answered: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(answered)) if (/^(rate|retry|cache-control|idempotency)/i.test(name)) noted[name] = value
  }
  return {
    ...given,
    inBatch: false,
    left: { faults: maxFaults },
    noted,
    note,
    identify: () =>
      (caller ??= app
        .identify({ header: name => headers.get(name) ?? undefined, ip, surface: 'mcp', resource: '/mcp' })
        .then(identified => {
          note(identified.headers)
          return identified.caller
        })),
    offer,
    listed: operations => described(app.table).listing(operations, offer()),
  }
}

/** Computed at the first request, not at the start. */
const descriptions = new WeakMap<Table, { everything: Offer; listing: Listing }>()

function described(table: Table) {
  let known = descriptions.get(table)
  if (!known) {
    known = { everything: offerOf(table, new URLSearchParams()), listing: listingOf(table) }
    descriptions.set(table, known)
  }
  return known
}
