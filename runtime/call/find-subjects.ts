/**
 * What the path names: containers first, then the permission, then the object, so that a caller learns of nothing it may
 * not see. Isolation of tenants stands here and nowhere else.
 */
import { type Caller, isMember, maySee } from '../caller.ts'
import type { Endpoint } from '../endpoint.ts'
import { fail, failWith, type Fault } from '../errors.ts'
import { isPlausibleId } from '../ids.ts'
import type { FoundSubject } from '../subject.ts'
import type { NamedOperation } from '../table.ts'
import type { Call } from './call.ts'

/** @throws Failure `validation_failed`, `not_found`, `permission_denied` */
export async function findSubjects(call: Call): Promise<void> {
  const {
    operation,
    path,
    core: { store },
    caller,
    place,
    handed,
  } = call
  failWith(missingInPath(operation, path))
  for (const [depth, subject] of operation.on.entries()) {
    const innermost = depth === operation.on.length - 1
    if (innermost && operation.on.length > 1) demand(operation, caller)
    const parameter = operation.onParameters[depth] ?? ''
    const id = path[parameter]
    call.sought = parameter
    const found: FoundSubject<unknown> | undefined =
      typeof id === 'string' && isPlausibleId(id) ? await subject.find(store.read, id) : undefined
    if (!found || !isInside(found, place) || !isSeen(found, caller)) fail('not_found')
    handed[subject.name] = found.row
    place.workspaceId = found.workspaceId
    place.siteId = found.siteId
    place.id = String(id)
  }
  call.sought = undefined
  if (operation.on.length < 2) demand(operation, caller)
}

/** Of the container that was found before it. */
function isInside(found: FoundSubject<unknown>, { workspaceId, siteId }: Call['place']): boolean {
  return (workspaceId === undefined || found.workspaceId === workspaceId) && (siteId === null || found.siteId === siteId)
}

function isSeen({ workspaceId, siteId, unrestricted }: FoundSubject<unknown>, caller: Caller | undefined): boolean {
  return !caller || (maySee(caller, workspaceId, siteId) && !(unrestricted && caller.siteIds.length > 0))
}

/** Over MCP a path parameter may be missing or of another type than text. */
function missingInPath({ pathInput }: NamedOperation, path: Call['path']): Fault[] {
  const faults: Fault[] = []
  for (const name in pathInput) {
    if (typeof path[name] === 'string') continue
    const isThere = name in path
    const message = isThere ? `${name} must be a string.` : `${name} is required: ${pathInput[name]?.description || 'a string'}`
    faults.push({ in: 'path', pointer: `/${name}`, code: isThere ? 'invalid_type' : 'required', message: message.replace(/\.?$/, '.') })
  }
  return faults
}

/** What a declaration says of who may call, before it is known what is changed. */
type Guarded = Pick<NamedOperation, 'id' | 'access' | 'credential' | 'effect' | 'role' | 'reach'>

/** An endpoint names no subjects: its permission is asked for where it is entered. @throws Failure `permission_denied` */
export function demandAtDoor({ route, access, credential, effect }: Endpoint, caller: Caller | undefined): void {
  if (access !== 'optional') demand({ id: route, access, credential, effect, role: undefined, reach: undefined }, caller)
}

/** @throws Failure `permission_denied`, naming the permission (RFC 6750 §3.1) */
function demand(operation: Guarded, caller: Caller | undefined): void {
  const lack = caller && lackOf(operation, caller)
  if (lack === undefined) return
  fail(
    'permission_denied',
    lack.message,
    [],
    lack.scope === undefined ? {} : { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${lack.scope}"` },
  )
}

/** What the caller lacks to call this, as far as the declaration says without knowing what is changed. */
export function lackOf(
  { id, access, credential, effect, role, reach }: Guarded,
  caller: Caller,
): { message: string; scope?: string } | undefined {
  if (credential || access === 'public') return undefined
  if (caller.operations?.has(id) === false) return { message: 'This is not among what the link shows.' }
  if (effect !== 'read' && !isMember(caller)) return { message: 'Only members change anything.' }
  const permission = access === 'member' || access === 'account' || access === 'session' ? undefined : access
  if (permission && !caller.permissions.has(permission)) return { message: `This needs the permission ${permission}.`, scope: permission }
  if ((reach === 'workspace' || (access === 'account' && effect !== 'read')) && caller.siteIds.length > 0) {
    return { message: 'A token restricted to sites cannot do this.', scope: access }
  }
  if (typeof role === 'string' && caller.member?.role !== role) return { message: `This needs the role ${role}.` }
  return undefined
}
