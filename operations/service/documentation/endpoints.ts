/** `/llms.txt` (llmstxt.org): an index of the manual for language models. */
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { documents } from './documents.ts'

export const llms_txt = endpoint({
  route: 'GET /llms.txt',
  summary: 'Index of the manual for language models',
  access: 'public',
  crossOrigin: { headers: [] },
  async handle(_, app) {
    const { BASE_URL } = app.config
    const pages = (await app.use(documents)).map(
      ({ slug, title, summary }) => `- [${title}](${BASE_URL}/documentation/${slug}.json): ${summary}`,
    )
    const body = [
      '# Footfall',
      '> Self-hosted web analytics. Everything is an operation, over HTTP, as a tool of MCP and in an OpenAPI file.',
      '## Interfaces',
      [
        `- [MCP](${BASE_URL}/mcp): tools for agents; \`?toolsets=everyday\` is a short list, \`?mode=search\` finds tools by words`,
        `- [OpenAPI](${BASE_URL}/openapi.json): every operation of the HTTP API`,
        `- [Search the manual](${BASE_URL}/documentation/search.json?q=bounce+rate)`,
      ].join('\n'),
      '## Manual',
      pages.join('\n'),
    ].join('\n\n')
    const headers = { 'Content-Type': 'text/markdown; charset=utf-8', 'Cache-Control': 'public, max-age=3600' }
    return { status: 200, headers, body: `${body}\n` }
  },
})
