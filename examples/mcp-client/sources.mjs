// Asks for the sources of the last 7 days: FOOTFALL=… TOKEN=… SITE=… node sources.mjs
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { FOOTFALL = 'http://127.0.0.1:8080', TOKEN, SITE } = process.env
const transport = new StreamableHTTPClientTransport(new URL('/mcp?toolsets=everyday', FOOTFALL), {
  requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } },
})
const client = new Client({ name: 'footfall-example', version: '1.0.0' })
await client.connect(transport)

const { tools } = await client.listTools()
console.log(
  `${tools.length} tools, for example ${tools
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')}`,
)

const answer = await client.callTool({
  name: 'stats_breakdown',
  arguments: { site_id: SITE, dimension: 'source', period: '7d', limit: 5 },
})
for (const { label, visitors } of answer.structuredContent.data.rows) console.log(`${visitors}\t${label}`)
await client.close()
