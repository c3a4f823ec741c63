/** Declares the access to an operation or an endpoint: its callers, its effect and its rate limit. */
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`
/** The effect of the call: decides the status, the transaction, the audit entry and MCP's hints. */
export type Effect = 'read' | 'create' | 'update' | 'delete'
/**
 * Allowed callers: a permission; `member`: any token of the workspace; `account`: any valid token, for writes one with
 * all permissions of its member and without `site_ids`; `session`: a signed-in user; `public`: anyone.
 */
export type Access = Permission | 'member' | 'account' | 'session' | 'public'

/** The reach that a token restricted to sites must have: the whole workspace, or all of these sites. */
export type Reach = 'workspace' | readonly string[]

/** Limits that a declaration can name; `none` if something else limits the load. */
export type RateName = 'token' | 'anonymous' | 'costly' | 'batch' | 'none'
