import { Type } from '@sinclair/typebox'
import { Nullable, record } from '../../../runtime/table/schema.ts'

const url = (description: string) => Type.String({ description })
export const Help = record(
  'Help',
  {
    version: Type.String({ description: 'Version of the service.' }),
    documentation_url: url('The manual.'),
    search_url: url('Search of the manual; `q` takes words.'),
    reference_url: url('Reference of the API, for people.'),
    openapi_url: url('The OpenAPI file.'),
    mcp_url: url('Address that agents connect to (MCP).'),
    installation_url: Nullable(url('Page with the state of the installation; null unless you operate it.')),
    feedback_email: Nullable(Type.String(), { description: 'Address of the operator; null if none is set.' }),
  },
  'Links to help.',
)
