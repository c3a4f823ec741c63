/** The input fields of a check. Which of them apply depends on its kind: target.ts. */
import { type TSchema, Type } from '@sinclair/typebox'
import { Name, Nullable, OneOf, optional, shownWith } from '../../../runtime/table/schema.ts'
import { kinds, statuses } from '../../reports/availability/records.ts'

/** The shortest interval, seconds (docs/decisions.md §5). */
const minInterval = 30

/** @param of kinds that use the field */
const empties = <T extends TSchema>(schema: T, description: string, of?: readonly (typeof kinds)[number][]) =>
  optional(Nullable(schema, { description, ...(of && { [shownWith]: { field: 'kind', values: of } }) }))

/** A status code, or all of a class. */
const status = Type.String({ pattern: '^[1-5](\\d\\d|xx)$', maxLength: 3 })

const fields = {
  kind: OneOf(kinds, {
    description: 'Kind of probe. http: status code; keyword: text in the body; tcp: connection; dns: name resolution.',
  }),
  expected_status: Type.Integer({
    [shownWith]: { field: 'kind', values: ['http', 'keyword'] },
    minimum: 100,
    maximum: 599,
    description: 'http and keyword: the status code that counts as up. Redirects are followed unless a 3xx is expected or accepted.',
  }),
  accepted_statuses: Type.Array(status, {
    [shownWith]: { field: 'kind', values: ['http', 'keyword'] },
    maxItems: 20,
    description: 'http and keyword: further status codes that count as up, and classes of them, for example `204` and `4xx`.',
  }),
  http_method: OneOf(['GET', 'HEAD'], {
    [shownWith]: { field: 'kind', values: ['http'] },
    description: 'Method of http checks; keyword checks require GET.',
  }),
  interval_seconds: Type.Integer({
    unit: 'seconds',
    minimum: minInterval,
    maximum: 86_400,
    description: `Interval between probes: ${minInterval} seconds to a day.`,
  }),
  timeout_seconds: Type.Integer({ unit: 'seconds', minimum: 1, maximum: 30, description: 'Timeout of a probe.' }),
  public: Type.Boolean({ description: 'Whether a public status page may show the check.' }),
}

const targetFields = {
  name: empties(Name({ minLength: 0, maxLength: 2_000 }), 'Name shown in lists and notifications, on one line; defaults to the target.'),
  url: empties(Type.String({ maxLength: 2_000 }), 'http and keyword (required): `https://example.com/health`.', ['http', 'keyword']),
  host: empties(Type.String({ maxLength: 260 }), 'tcp and dns (required): a host name or an IP address.', ['tcp', 'dns']),
  port: empties(Type.Integer({ minimum: 1, maximum: 65_535 }), 'tcp (required): the port.', ['tcp']),
  keyword: empties(Type.String({ maxLength: 500 }), 'keyword (required): text that the body must contain, case-sensitive.', ['keyword']),
}

export const createFields = {
  kind: OneOf(kinds, { ...fields.kind, default: 'http' }),
  ...targetFields,
  expected_status: Type.Integer({ ...fields.expected_status, default: 200 }),
  accepted_statuses: Type.Array(status, {
    ...fields.accepted_statuses,
    default: [],
  }),
  http_method: OneOf(['GET', 'HEAD'], { ...fields.http_method, default: 'GET' }),
  interval_seconds: optional(
    Type.Integer({
      ...fields.interval_seconds,
      description: `${fields.interval_seconds.description} Defaults to 300, or to the minimum of the plan.`,
    }),
  ),
  timeout_seconds: Type.Integer({ ...fields.timeout_seconds, default: 20 }),
  public: Type.Boolean({ ...fields.public, default: false }),
}

export const updateFields = {
  kind: optional(fields.kind),
  ...targetFields,
  expected_status: optional(fields.expected_status),
  accepted_statuses: optional(fields.accepted_statuses),
  http_method: optional(fields.http_method),
  interval_seconds: optional(fields.interval_seconds),
  timeout_seconds: optional(fields.timeout_seconds),
  public: optional(fields.public),
}

export const filters = {
  status: optional(OneOf(statuses, { description: 'Only checks in this state.' })),
  query: optional(Type.String({ maxLength: 200, description: 'Only checks whose name or target contains this.' })),
}
