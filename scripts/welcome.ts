/** The text printed by the first start: everything needed to see a first visit. */
import { commandHere } from './command-here.ts'
import type { SetUp } from '../operations/service/setup/set-up.ts'

/** The result of setup, printed with the address and things to try. */
export interface First extends SetUp {
  readonly domain: string
  /** Address of the account that was made. */
  readonly email: string
  /** A period for which reports have data. */
  readonly period: string
  /** Its DATABASE_URL, if other commands would use another by default. */
  readonly database?: string | undefined
}

export function welcome(address: string, { workspace_id, site_id, token, sign_in, email, domain, period, database }: First): string {
  const url = `${address}/mcp?toolsets=everyday`
  const client = { mcpServers: { footfall: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } } } }
  const link = `${database === undefined ? '' : `DATABASE_URL=${database} `}${commandHere('sign-in-link')} --email ${email}`
  return `
Footfall is at ${address}

  sign in    ${address}${sign_in}
             (within 15 minutes: set a password there; another link:
             ${link})
  workspace  ${workspace_id}
  site       ${site_id}  (${domain})
  token      ${token}   (shown once: keep it)

1. Put this on a page and open it in a browser:

   <script defer data-domain="${domain}" src="${address}/js/footfall.js"></script>

2. Read the visit back:

   curl -H 'Authorization: Bearer ${token}' '${address}/sites/${site_id}/stats/aggregate.json?period=${period}'

3. Or let an MCP client ask:

   ${JSON.stringify(client)}

API reference: ${address}/docs

`
}
