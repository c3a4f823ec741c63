/** What is remembered by the rights of a caller fits every caller with the same. */
import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { table } from '../../operations/index.ts'
import { missingPermission } from '../../runtime/call/find-subjects.ts'
import { type Caller, rightsOf } from '../../runtime/table/caller.ts'
import { permissionNames } from '../../runtime/table/permissions.ts'

const nobody: Caller = {
  kind: 'api_token',
  credentialId: 'tok_1',
  workspaceId: 'ws_1',
  permissions: new Set(),
  siteIds: [],
  actor: 'a@example.com',
  member: null,
  expiresAt: null,
  allowedIps: [],
  lastUsedAt: null,
}
const member = (role: string) => ({ memberId: 'mem_1', accountId: 'acc_1', email: 'a@example.com', name: 'A', role })

test('callers with the same rights may call the same operations, and those who may call others have other rights', () => {
  const all = [...table.operations.values()]
  const callers: Caller[] = [
    ...permissionNames.map(name => ({ ...nobody, permissions: new Set([name]) })),
    ...['owner', 'admin', 'viewer'].flatMap(role =>
      [[], ['pa_1']].map(siteIds => ({ ...nobody, member: member(role), permissions: new Set(permissionNames), siteIds })),
    ),
    { ...nobody, permissions: new Set(permissionNames), operations: new Set(['sites_get']) },
    { ...nobody, permissions: new Set(permissionNames), operations: new Set(['goals_list']) },
  ]
  const allowedTo = (caller: Caller): string =>
    all
      .filter(each => missingPermission(each, caller) === undefined)
      .map(({ id }) => id)
      .join()
  const byRights = new Map<string, string>()
  for (const caller of callers) {
    const other = { ...caller, credentialId: 'tok_2', workspaceId: 'ws_2', actor: 'b@example.com', provedAt: 1 }
    assert.equal(rightsOf(other), rightsOf(caller))
    assert.equal(byRights.get(rightsOf(caller)) ?? allowedTo(caller), allowedTo(caller))
    byRights.set(rightsOf(caller), allowedTo(caller))
  }
  const distinct = new Set(callers.map(allowedTo))
  assert.ok(new Set(byRights.keys()).size >= distinct.size)
})
