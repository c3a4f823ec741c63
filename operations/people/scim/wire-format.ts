/** Input and output of SCIM: as in RFC 7644 on its own path, and as in the API with `.json` (docs/decisions.md §6). */
import { type Answer, isRefusal } from '../../../runtime/table/answer.ts'
import type { ErrorBody } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { plain } from '../../../runtime/table/answer-kinds.ts'
import { wireFormat } from '../../../runtime/table/wire-format.ts'
import { withoutPasswords } from './passwords.ts'
import { urns } from './records.ts'

export const scimType = 'application/scim+json'
export const maxUsers = 200

export const scimWireFormat = wireFormat({
  names: { scim_filter: 'filter' },
  read(given, own) {
    const { filter, ...rest } = withoutPasswords(given)
    const named = filter === undefined ? rest : { scim_filter: filter, ...rest }
    return own
      ? {
          ...named,
          ...within({ name: 'startIndex', named, min: 1, max: Number.MAX_SAFE_INTEGER }),
          ...within({ name: 'count', named, min: 0, max: maxUsers }),
        }
      : named
  },
  present: (answer, own) => (isRefusal(answer) ? refused(answer, answer.body, own) : answered(answer, own)),
})

interface Within {
  readonly name: string
  readonly named: Readonly<Record<string, unknown>>
  readonly min: number
  readonly max: number
}

/** Clamps a value to its range on the path of the protocol (RFC 7644 §3.4.2.4). */
function within({ name, named: { [name]: value }, min, max }: Within): Record<string, number> {
  return typeof value === 'number' && Number.isInteger(value) ? { [name]: Math.min(max, Math.max(min, value)) } : {}
}

function answered(answer: Answer, own: boolean): Answer {
  const { body } = answer
  const meta = isObject(body) && isObject(body.meta) ? body.meta : {}
  const headers = {
    ...answer.headers,
    ...(typeof meta.version === 'string' && { ETag: meta.version }),
    ...(typeof meta.location === 'string' && answer.status === 201 && { Location: meta.location }),
  }
  if (!own) return { ...answer, headers }
  if (isObject(body) && Object.keys(body).length === 0) return { ...answer, status: 204, body: undefined, headers }
  return { ...answer, headers: { ...headers, 'Content-Type': scimType } }
}

function refused(answer: Answer, { error }: ErrorBody, own: boolean): Answer {
  const status = own ? ownStatus(answer.status, error) : answer.status
  const type = scimTypeOf(error)
  return {
    ...answer,
    status,
    kind: plain,
    headers: own ? { ...answer.headers, 'Content-Type': scimType } : answer.headers,
    body: {
      schemas: [urns.error],
      status: String(status),
      ...(type !== undefined && { scimType: type }),
      // Administrators of identity providers see it.
      detail: [error.message, ...error.details.slice(0, 5).map(({ message }) => message)].join(' '),
      error,
    },
  }
}

function ownStatus(status: number, { code }: ErrorBody['error']): number {
  if (status !== 422) return status
  return code === 'already_exists' ? 409 : 400
}

/** RFC 7644 §3.12, table 9. */
function scimTypeOf({ code, details }: ErrorBody['error']): string | undefined {
  if (code === 'already_exists') return 'uniqueness'
  if (code === 'invalid_json') return 'invalidSyntax'
  if (code !== 'validation_failed') return undefined
  const pointers = details.map(({ pointer }) => pointer)
  if (pointers.includes('/filter')) return 'invalidFilter'
  if (pointers.some(pointer => /^\/Operations\/\d+\/path$/.test(pointer))) return 'invalidPath'
  return pointers.some(pointer => /^\/Operations\/\d+\/op$/.test(pointer)) ? 'invalidSyntax' : 'invalidValue'
}
