/**
 * Finds the records that the path names, and checks that the caller may see them: first the containers, then the permission,
 * then the innermost record, so that callers learn nothing of other records. Only this step isolates tenants.
 */
import { type Caller, callerIn, isMember, maySee } from '../table/caller.ts'
import type { Endpoint } from '../table/endpoint.ts'
import { insufficient } from './challenge.ts'
import { missingRole } from './missing-role.ts'
import { fail, failWith, type Fault } from '../table/errors.ts'
import { lacksSignIn } from './recent-sign-in.ts'
import { isPlausibleId } from '../values/ids.ts'
import { isPermission, type Permission, permissionsOf } from '../table/permissions.ts'
import type { FoundSubject, OwnSubject } from '../table/subject.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Arrival, Call } from './call.ts'
import { fieldTerm, type Message } from '../texts/message.ts'
import { m } from './messages.ts'

/** @throws Failure `validation_failed`, `not_found`, `permission_denied` */
export async function findSubjects(call: Call): Promise<void> {
  const { operation, path } = call
  failWith(missingInPath(operation, path))
  for (const [depth, subject] of operation.on.entries()) {
    if (depth > 0 && depth === operation.on.length - 1) checkPermission(operation, call)
    const parameter = operation.onParameters[depth] ?? ''
    const id = path[parameter]
    call.sought = parameter
    if (typeof id !== 'string' || !isPlausibleId(id)) fail('not_found')
    const found = foundOf(subject, id, call)
    accept(subject, { id, found: found instanceof Promise ? await found : found, call })
  }
  call.sought = undefined
  if (operation.on.length < 2) checkPermission(operation, call)
  if (call.place.isGroup && !operation.groups) fail('not_for_groups')
  checkRecentSignIn(call)
}

/** Checks a caller who was authenticated again against the place that was found. @throws Failure `not_found`, `permission_denied` */
export function checkCaller(call: Call): void {
  const { caller, place } = call
  if (caller && place.workspaceId !== undefined) {
    call.caller = callerIn(caller, place.workspaceId)
    if (!maySee(call.caller, place.workspaceId, place.siteId)) fail('not_found')
  }
  checkPermission(call.operation, call)
  checkRecentSignIn(call)
}

/** Passes the row to the operation if the caller may see it. @throws Failure `not_found` */
function accept({ name }: AnySubject, { id, found, call }: { id: string; found: Found; call: Call }): void {
  const { place, handed } = call
  if (!found) fail('not_found')
  if ((call.caller?.records?.get(name) ?? id) !== id) fail('not_found')
  if (found.accountId !== undefined && call.caller?.member?.accountId !== found.accountId) fail('not_found')
  if ('workspaceId' in found) {
    if (!isInside(found, place)) fail('not_found')
    if (call.caller) call.caller = callerIn(call.caller, found.workspaceId)
    if (!isSeen(found, call.caller)) fail('not_found')
    place.workspaceId = found.workspaceId
    place.siteId = found.siteId
    if (found.isGroup) place.isGroup = true
    if (found.hasNoMoney) place.hasNoMoney = true
  }
  handed[name] = found.row
  place.id = id
}

type AnySubject = NamedOperation['on'][number]
type Found = FoundSubject<unknown> | OwnSubject<unknown> | undefined

/** The subject; the reads of one request find it once. */
function foundOf({ name, find }: AnySubject, id: string, { operation, request, db }: Call): ReturnType<AnySubject['find']> {
  const known = operation.effect === 'read' ? request.together?.subjects : undefined
  const key = `${name} ${id}`
  const found = known?.get(key) ?? find(db, id)
  known?.set(key, found)
  return found
}

/** Whether it belongs to the container found before it. */
function isInside(found: FoundSubject<unknown>, { workspaceId, siteId }: Call['place']): boolean {
  return (workspaceId === undefined || found.workspaceId === workspaceId) && (siteId === null || found.siteId === siteId)
}

function isSeen({ workspaceId, siteId, unrestricted }: FoundSubject<unknown>, caller: Caller | undefined): boolean {
  return !caller || (maySee(caller, workspaceId, siteId) && !(unrestricted && caller.siteIds.length > 0))
}

/** Over MCP a path parameter may be missing or not a string. */
function missingInPath({ pathInput }: NamedOperation, path: Call['path']): Fault[] {
  const faults: Fault[] = []
  for (const name in pathInput) {
    if (typeof path[name] === 'string') continue
    const isThere = name in path
    const field = fieldTerm(name)
    const message = isThere
      ? m.must_be_string({ field })
      : m.description({ field, description: stopped(pathInput[name]?.description || 'a string') })
    faults.push({ in: 'path', pointer: `/${name}`, code: isThere ? 'invalid_type' : 'required', message })
  }
  return faults
}

const stopped = (text: string): string => text.replace(/\.?$/, '.')

/** @throws Failure `reauthentication_required`; `permission_denied` for a token, which no sign-in changes */
function checkRecentSignIn({ operation, caller, at }: Call): void {
  if (!caller) return
  const isSession = caller.provedAt !== undefined
  const { ofPerson } = operation
  if (ofPerson && caller.withoutAccount && isSession) fail('reauthentication_required', m.not_by_sso())
  if (ofPerson && caller.withoutAccount) fail('permission_denied', m.not_by_sso_token())
  if (lacksSignIn(operation, caller, at)) fail('reauthentication_required')
}

/** The part of a declaration that says who may call, whatever is changed. */
type Guarded = Pick<NamedOperation, 'id' | 'access' | 'needs' | 'credential' | 'effect' | 'role' | 'reach'>

/** Checks the permission of an endpoint, which has no subjects. @throws Failure `permission_denied` */
export function checkEndpointPermission({ route, access, credential, effect }: Endpoint, arrival: Arrival): void {
  if (access !== 'optional')
    checkPermission({ id: route, access, needs: [], credential, effect, role: undefined, reach: undefined }, arrival)
}

/** @throws Failure `permission_denied`, naming the permission (RFC 6750 §3.1) */
function checkPermission(operation: Guarded, { caller, core: { config }, request }: Arrival): void {
  if (!caller) return
  const missing = missingPermission(operation, caller)
  if (missing === undefined) return
  const { message, scope } = missing
  fail('permission_denied', message, { headers: scope === undefined ? {} : insufficient([config, request], caller, scope) })
}

/** The permission that the caller lacks according to the declaration, which does not depend on the input. */
export function missingPermission(
  { id, access, needs, credential, effect, role, reach }: Guarded,
  caller: Caller,
): { message: Message; scope?: string } | undefined {
  if (credential || access === 'public') return undefined
  if (caller.operations?.has(id) === false) return { message: m.not_in_link() }
  if (effect !== 'read' && !isMember(caller)) return { message: m.members_only() }
  const permissions = isPermission(access) ? [access, ...needs] : needs
  const lacking = permissions.find(name => !caller.permissions.has(name))
  if (lacking) return { message: m.needs_permission({ permission: lacking }), scope: lacking }
  if ((reach === 'workspace' || (access === 'account' && effect !== 'read')) && caller.siteIds.length > 0) {
    return { message: m.not_for_site_tokens(), scope: access }
  }
  // An account is worth more than a workspace: it is shown in every workspace of its person.
  const withheld = access === 'account' && effect !== 'read' ? withheldFrom(caller) : []
  if (withheld.length > 0) return { message: m.not_for_narrow_tokens({ permissions: withheld }) }
  return typeof role === 'string' ? missingRole(caller, role) : undefined
}

/** The permissions of its member that a token was not given. */
const withheldFrom = ({ member, permissions }: Caller): Permission[] =>
  permissionsOf(member?.role ?? '').filter(name => !permissions.has(name))
