/** One POST: who sends it, what its URL offers, and what it leaves in the headers of the answer. */
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/caller.ts'
import { mostFaults } from '../../runtime/errors.ts'
import type { Table } from '../../runtime/table.ts'
import { type Offer, offerOf } from './offer.ts'
import { describeTools, type Tool } from './tools.ts'

export interface Visit {
  readonly app: App
  readonly headers: Headers
  readonly ip: string
  readonly requestId: string
  /** One message of several. */
  readonly inBatch: boolean
  /** What the answers of one POST may still hold. */
  readonly left: { faults: number }
  /** Asks once a POST, however often it is called. @throws Failure */
  identify(): Promise<Caller>
  /** @throws ProtocolFault */
  offer(): Offer
  /** Every tool by its name. */
  tools(): ReadonlyMap<string, Tool>
  /** Keeps what the headers of an answer say of rates. */
  note(headers: Readonly<Record<string, string>>): void
  readonly noted: Readonly<Record<string, string>>
}

type Given = Pick<Visit, 'app' | 'headers' | 'ip' | 'requestId'> & { readonly query: URLSearchParams }

export function openVisit({ query, ...given }: Given): Visit {
  const { app, headers, ip } = given
  const noted: Record<string, string> = {}
  let caller: Promise<Caller> | undefined
  const note = (answered: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(answered)) if (/^rate|^retry/i.test(name)) noted[name] = value
  }
  return {
    ...given,
    inBatch: false,
    left: { faults: mostFaults },
    noted,
    note,
    identify: () => (caller ??= app.identify({ header: name => headers.get(name) ?? undefined, ip, surface: 'mcp' }).then(identified => {
      note(identified.headers)
      return identified.caller
    })),
    offer: () => (query.size === 0 ? described(app.table).everything : offerOf(app.table, query)),
    tools: () => described(app.table).tools,
  }
}

/** Worked out at the first visit, not at the start. */
const descriptions = new WeakMap<Table, { everything: Offer; tools: ReadonlyMap<string, Tool> }>()

function described(table: Table) {
  let known = descriptions.get(table)
  if (!known) {
    const tools = new Map(describeTools(table).map(tool => [tool.name, tool]))
    known = { everything: offerOf(table, new URLSearchParams()), tools }
    descriptions.set(table, known)
  }
  return known
}
