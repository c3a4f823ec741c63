/** Makes the OpenAPI 3.1 document from the table. */
import type { InfoObject, OpenAPIObject, PathsObject, SecuritySchemeObject } from 'openapi3-ts/oas31'
import type { Method } from '../../runtime/table/access.ts'
import { permissions } from '../../runtime/table/permissions.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { versionedBy } from '../../runtime/table/record-versions.ts'
import { taggedBy } from '../http/if-match.ts'
import { errorDetail, errorHeaders, errorResponses } from './errors.ts'
import { withPlausibleIds } from './examples.ts'
import { carriedBy } from '../surfaces.ts'
import { describeOperation, entityTag, idempotencyKey, ifMatchHeader, noFields } from './operations.ts'
import { schemaBook } from './schemas.ts'
import { describeWebhook, webhookParameters } from './webhooks.ts'

const info: InfoObject = {
  title: 'Analytics API',
  version: '1.0.0',
  contact: { name: 'The operator of this installation' },
  license: { name: 'MIT', identifier: 'MIT' },
  description: [
    'Web analytics: visits in, reports out.',
    'The same operations are MCP tools at `POST /mcp`, under the same names and with the same token.',
    '',
    '- Every answer is `{ data, meta }`, every error `{ error: { code, message, details } }`.',
    '- `.json` at the end of a path may be left out with `Accept: application/json`.',
    '- Lists, and reports that are one table, are CSV with `.csv` in its place, or with `Accept: text/csv`.',
    '- With `?bom=true` a CSV begins with a byte order mark, so that Excel reads it as UTF-8; with `?about=true` it begins with lines about its period, filters and notes.',
    '- Lists take `page` and `per_page`.',
    "- Times are ISO 8601 in UTC, days are days of the site's time zone.",
    '- Money is in minor units, durations are in milliseconds.',
    '- A record that was read can be sent back with PATCH: fields that cannot be changed are ignored.',
  ].join('\n'),
}

const bearer = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'pat_…',
  description: [
    'An API token. It carries permissions:',
    ...Object.entries(permissions).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
  ].join('\n'),
} as const

const verbs = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const satisfies Record<Method, string>

/** Security schemes for credentials other than API tokens, such as probes' tokens. */
function otherTokens(operations: readonly NamedOperation[]): Record<string, SecuritySchemeObject> {
  return Object.fromEntries(
    operations.flatMap(({ credential }) =>
      credential && 'bearer' in credential.sentAs
        ? [
            [
              credential.name,
              {
                type: 'http',
                scheme: 'bearer',
                bearerFormat: `${credential.sentAs.bearer}…`,
                description: `The token of a ${credential.name}.`,
              },
            ],
          ]
        : [],
    ),
  )
}

/** Deterministic: the same table gives the same bytes. @throws Error if two different records have one name */
export function describeApi(table: Table): OpenAPIObject {
  const { areas, operations, events, ids } = table
  const book = schemaBook()
  const shown = [...operations.values()]
    .filter(operation => carriedBy('http', operation))
    .map(operation => withPlausibleIds(operation, ids))
  const versionsOf = (operation: NamedOperation) => ({
    takes: operation.effect !== 'read' && versionedBy(table).has(operation.id),
    answers: taggedBy(table, operation) !== undefined,
  })
  const paths: PathsObject = {}
  for (const operation of shown) {
    const path = `${operation.path}.json`
    paths[path] = { ...paths[path], [verbs[operation.method]]: describeOperation(operation, book, versionsOf(operation)) }
  }
  const inOrder = [...events].sort((a, b) => (a.type < b.type ? -1 : 1))
  const webhooks = Object.fromEntries(inOrder.map(event => [event.type, describeWebhook(event, book)]))
  const tags = areas.filter(({ name }) => shown.some(({ section }) => section === name))
  const records = book.components()
  const own = { ErrorDetail: errorDetail }
  const taken = Object.keys(own).find(name => Object.hasOwn(records, name))
  if (taken !== undefined) throw new Error(`The name "${taken}" is taken: call the record something else`)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ bearer: [] }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: { bearer, ...otherTokens(shown) },
      schemas: { ...records, ...own },
      parameters: { IdempotencyKey: idempotencyKey, IfMatch: ifMatchHeader, ...webhookParameters(events) },
      requestBodies: { NoFields: noFields },
      headers: { ...errorHeaders, ETag: entityTag },
      responses: errorResponses,
    },
  }
}

/** The text that is committed and served. */
export function specText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
