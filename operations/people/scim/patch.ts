/**
 * PATCH (RFC 7644 §3.5.2) in every spelling that identity providers are known to send. Normalizes their operations
 * first, each to a known path and a value of its type, then applies them as the RFC says.
 */
import { type ScimPatchOperation, type ScimResource, ScimError, scimPatch } from 'scim-patch'
import { parse } from 'scim2-parse-filter'
import { clipped } from '../../../runtime/values/clip.ts'
import { type Fault, fail } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { attributeNames, type ScimAttributes, subAttributeNames } from './attributes.ts'
import { checked } from './checked.ts'
import { booleanOf, emailsOf, nameOf } from './values.ts'

export interface GivenOperation {
  readonly op: string
  readonly path?: string | null
  readonly value?: unknown
}

interface Path {
  readonly attribute: string
  /** `type eq "work"` */
  readonly filter: string | undefined
  readonly part: string | undefined
}

/**
 * Returns the attributes after all operations.
 * @throws Failure `validation_failed`, its pointers under `/Operations`
 */
export function patched(attributes: ScimAttributes, given: readonly GivenOperation[]): ScimAttributes {
  const operations = given.flatMap((operation, i) => inOneForm(operation, `/Operations/${i}`))
  const resource = { ...structuredClone(attributes), schemas: [], meta: { created: new Date(0), lastModified: new Date(0) } }
  try {
    const { schemas: _, meta: __, ...after } = scimPatch<ScimResource & ScimAttributes>(resource, operations)
    return checked(after)
  } catch (thrown) {
    if (thrown instanceof ScimError) return refuse('/Operations', `could not be applied: ${thrown.message}`)
    throw thrown
  }
}

function inOneForm({ op, path, value }: GivenOperation, pointer: string): ScimPatchOperation[] {
  const kind = op.toLowerCase()
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove') refuse(`${pointer}/op`, 'must be add, replace or remove')
  if (typeof path === 'string' && path.trim() !== '') {
    const to = pathOf(path.trim(), `${pointer}/path`)
    return to ? operationsAt({ op: kind, to, value, pointer: `${pointer}/value` }) : []
  }
  if (kind === 'remove') return refuse(`${pointer}/path`, 'must name the attribute to remove')
  // Without a path, the value contains attributes by name; some names contain a dot or a filter.
  if (!isObject(value)) return refuse(`${pointer}/value`, 'must be an object of attributes if there is no path')
  return Object.entries(value).flatMap(([name, each]) => {
    const to = pathOf(name, `${pointer}/value`)
    return to ? operationsAt({ op: kind, to, value: each, pointer: `${pointer}/value` }) : []
  })
}

const core = /^urn:ietf:params:scim:schemas:core:2\.0:User(?:[:.]|$)/i
const attributePath = /^(?:urn:[\w.:-]+:)?([A-Za-z$][\w$-]*)(?:\[([^\]]{1,200})\])?(?:\.([A-Za-z$][\w$-]*))?$/

/** @returns undefined for an attribute that is not stored @throws Failure `validation_failed` for an invalid path */
function pathOf(text: string, pointer: string): Path | undefined {
  const [, name = '', filter, part] = text.length <= 400 ? (attributePath.exec(text.replace(core, '')) ?? []) : []
  if (name === '' || (filter !== undefined && !isFilter(filter))) refuse(pointer, `is not an attribute path: ${clipped(text, 80)}`)
  const attribute = attributeNames.get(name.toLowerCase())
  if (attribute === undefined || /^urn:/i.test(text.replace(core, ''))) return undefined
  const parts = subAttributeNames[attribute]
  const known = part === undefined ? undefined : parts?.get(part.toLowerCase())
  if (part !== undefined && known === undefined) return undefined
  if (filter !== undefined && attribute !== 'emails') refuse(pointer, `filters ${attribute}, which is not a list`)
  return { attribute, filter, part: known }
}

function isFilter(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return false
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

interface OperationsAt {
  readonly op: 'add' | 'replace' | 'remove'
  readonly to: Path
  readonly value: unknown
  readonly pointer: string
}

function operationsAt({ op, to: { attribute, filter, part }, value, pointer }: OperationsAt): ScimPatchOperation[] {
  const wrong = (wanted: string) => refuse(pointer, `must be ${wanted} for ${attribute}`)
  if (op === 'remove' || value === null) return removal({ attribute, filter, part, value })
  if (part !== undefined) {
    const selected = attribute === 'emails' ? `emails[${filter ?? 'primary eq true'}]` : attribute
    const single = part === 'primary' ? (booleanOf(value) ?? wrong('true or false')) : typeof value === 'string' ? value : wrong('a string')
    return [{ op, path: `${selected}.${part}`, value: single }]
  }
  switch (attribute) {
    case 'active':
      return [{ op: 'replace', path: attribute, value: booleanOf(value) ?? wrong('true or false') }]
    case 'name':
      return [{ op, path: attribute, value: nameOf(value) ?? wrong('an object') }]
    case 'emails': {
      const emails = emailsOf(value) ?? wrong('a list of addresses')
      return [filter === undefined ? { op, path: attribute, value: emails } : { op, path: `emails[${filter}]`, value: emails[0] }]
    }
    default:
      return [{ op: 'replace', path: attribute, value: typeof value === 'string' ? value : wrong('a string') }]
  }
}

interface Removal {
  readonly attribute: string
  readonly filter: string | undefined
  readonly part: string | undefined
  readonly value: unknown
}

/** Removing `active` or a name has no meaning, so both stay. */
function removal({ attribute, filter, part, value }: Removal): ScimPatchOperation[] {
  if (attribute === 'active' || attribute === 'userName') return []
  const selected = filter === undefined ? attribute : `${attribute}[${filter}]`
  if (attribute === 'emails' && part !== undefined) return part === 'value' ? [{ op: 'remove', path: selected }] : []
  const listed = attribute === 'emails' && filter === undefined ? emailsOf(value) : undefined
  if (listed && listed.length > 0)
    return listed.map(({ value: each }) => ({ op: 'remove', path: `emails[value eq ${JSON.stringify(each)}]` }))
  return [{ op: 'remove', path: part === undefined ? selected : `${selected}.${part}` }]
}

function refuse(pointer: string, why: string): never {
  const fault: Fault = { pointer, code: 'invalid_format', message: `${pointer.slice(1).replaceAll('/', '.')} ${why}.` }
  fail('validation_failed', undefined, { details: [fault] })
}
