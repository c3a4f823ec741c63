/** Messages of the page of help. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('help', {
  search_manual: 'Search the manual',
  manual: 'Manual',
  manual_says: 'The meaning of each page, setting and figure, with examples.',
  reference: 'Reference of the API',
  reference_says: 'Every operation with its input and its answer.',
  openapi: 'OpenAPI file',
  openapi_says: 'The same for programs that make clients.',
  agents: 'Connect an assistant',
  agents_says: 'Assistants that speak MCP read reports and change settings with your permissions. They ask for this address:',
  installation: 'This installation',
  installation_says: 'Its state, its versions and its backups.',
  write_to: 'Write to the operator',
  version: 'Footfall {version}',
})
