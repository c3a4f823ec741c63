/** A path's subject may be deleted or moved during a call: after it was found, before the transaction begins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@sinclair/typebox'
import { ids } from '../../operations/people/members/records.ts'
import { workspace } from '../../operations/people/workspaces/records.ts'
import { operation, type Operation } from '../../runtime/table/operation.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { onAnyEngine, onSharedEngine } from '../support/engines.ts'
import {
  callHttp,
  fill,
  makeWorld,
  makeWorldOf,
  refusals,
  request,
  shownAs,
  startService,
  type TestService,
  tokenOf,
  type World,
} from '../support/world.ts'

/** The operations that delete a subject of this path. */
function deleters({ app: { table } }: TestService, { path }: NamedOperation): NamedOperation[] {
  return [...table.operations.values()].filter(
    ({ effect, path: other, on }) => effect === 'delete' && on.length > 0 && (path === other || path.startsWith(`${other}/`)),
  )
}

/** @param between runs after the call has found its subjects, before its transaction */
async function callWith(service: TestService, world: World, operation: NamedOperation, between: () => Promise<unknown>) {
  const input: Record<string, unknown> = fill(operation.examples[0]?.input ?? {}, world)
  const names = Object.keys(operation.pathInput)
  const headers = new Headers(shownAs(tokenOf(world, operation)))
  return service.app.call({
    operation,
    surface: 'http',
    id: 'race',
    ip: '127.0.0.1',
    header: name => headers.get(name) ?? undefined,
    path: Object.fromEntries(names.map(name => [name, input[name]])),
    async input() {
      await between()
      return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
    },
  })
}

/** An operation that no area has. */
const named = (declared: Operation): NamedOperation => ({
  ...declared,
  declared,
  id: declared.path.slice(declared.path.lastIndexOf('/') + 1),
  area: 'Test',
  section: 'Test',
  everyday: false,
  asked: [],
})

onAnyEngine('deletes that race', engine => {
  test('a write to a record that is deleted meanwhile answers 404, or the same as after the deletion', async () => {
    const service = await startService(engine)
    try {
      const wrong: string[] = []
      for (const operation of service.app.table.operations.values()) {
        if (operation.effect === 'read' || operation.on.length === 0 || operation.id in refusals) continue
        if (operation.undoes !== undefined) continue // its record is deleted already
        for (const deleter of deleters(service, operation)) {
          const world = await makeWorldOf(service, operation, deleter)
          const input = fill(operation.examples[0]?.input ?? {}, world)
          const there = fill(deleter.examples[0]?.input ?? {}, world)
          const same = Object.fromEntries(
            Object.keys(deleter.pathInput).map(name => [
              name,
              name === 'id' && deleter.path !== operation.path && !operation.path.startsWith(`${deleter.path}/`)
                ? there[name]
                : input[name],
            ]),
          )
          let removed: number | undefined
          const answer = await callWith(service, world, operation, async () => {
            removed = (await callHttp(service, deleter, { ...there, ...same }, tokenOf(world, deleter))).status
          })
          if (removed !== 200) wrong.push(`${operation.id} while ${deleter.id}: the delete answered ${removed}, the call ${answer.status}`)
          // Some records stay after their end, and a later call gets the same answer: deleting a token again is no
          // fault.
          else if (answer.status !== 404 && answer.status !== (await callHttp(service, operation, input, tokenOf(world, operation))).status)
            wrong.push(`${operation.id} while ${deleter.id}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 120)}`)
        }
      }
      assert.deepEqual(wrong, [])
    } finally {
      await service.close()
    }
  })
})

onSharedEngine('changes that race', engine => {
  test('a write of the former workspace to a record that moves meanwhile is refused, mostly with 404', async () => {
    const service = await startService(engine)
    try {
      const [world, other] = [await makeWorld(service), await makeWorld(service)]
      const moveTo = (to: World) =>
        service.store.write
          .updateTable('sites')
          .set({ workspace_id: String(to.ids.workspace) })
          .where('id', '=', String(world.ids.site))
          .execute()
      const answers: string[] = []
      const all = [...service.app.table.operations.values()]
      for (const operation of all.toSorted((a, b) => Number(a.id === 'sites_delete') - Number(b.id === 'sites_delete'))) {
        if (operation.effect === 'read' || operation.on[0]?.name !== 'site' || operation.undoes !== undefined) continue
        const { status } = await callWith(service, world, operation, () => moveTo(other))
        answers.push(`${operation.id} ${status}`)
        await moveTo(world)
      }
      assert.deepEqual(
        answers.filter(answer => !/ 4..$/.test(answer)),
        [],
      )
      assert.ok(answers.filter(answer => answer.endsWith(' 404')).length > 40, answers.join(', '))
    } finally {
      await service.close()
    }
  })

  test('a token that is revoked, or whose member loses the right, while the input is sent or prepared changes nothing', async () => {
    const service = await startService(engine)
    try {
      const world = await makeWorld(service)
      const tokens = `/workspaces/${world.ids.workspace}/api_tokens`
      const take = (role: string) =>
        service.store.write.updateTable('members').set({ role }).where('account_id', '=', world.owner.accountId).execute()
      const operations = ['api_tokens_create', 'shared_links_create', 'sites_create', 'sites_update'].map(
        id => service.app.table.operations.get(id) ?? assert.fail(id),
      )
      const done: string[] = []
      let meanwhile: () => Promise<unknown> = async () => undefined
      const slow = named(
        operation({
          route: 'POST /workspaces/{workspace_id}/slow',
          summary: 'Prepare for long',
          access: 'members.manage',
          on: workspace,
          effect: 'create',
          input: {},
          output: Type.Object({}),
          examples: [{ input: { workspace_id: '{{workspace}}' } }],
          async prepare() {
            done.push('prepared')
            await meanwhile()
            return {}
          },
          run: async () => ({}),
        }),
      )
      const answers: Record<string, number> = {}
      for (const each of [...operations, slow]) {
        const { id, token } = (await request(service, 'POST', tokens, { token: world.token, body: { name: each.id } })).body.data
        const as = { ...world, token }
        const revoke = () => request(service, 'DELETE', `${tokens}/${id}`, { token: world.token })
        answers[`${each.id} of a viewer`] = (await callWith(service, as, each, () => take('viewer'))).status
        await take('owner')
        if (each === slow) {
          assert.deepEqual(done, [], 'prepares nothing for a viewer')
          meanwhile = revoke
          answers['slow while it is prepared'] = (await callWith(service, as, each, async () => {})).status
        } else answers[each.id] = (await callWith(service, as, each, revoke)).status
      }
      assert.deepEqual(answers, {
        'api_tokens_create of a viewer': 403,
        api_tokens_create: 401,
        'shared_links_create of a viewer': 403,
        shared_links_create: 401,
        'sites_create of a viewer': 403,
        sites_create: 401,
        'sites_update of a viewer': 403,
        sites_update: 401,
        'slow of a viewer': 403,
        'slow while it is prepared': 401,
      })
      assert.deepEqual(done, ['prepared'])
    } finally {
      await service.close()
    }
  })

  test('imports and exports that are requested at once are no more than a site may have', async () => {
    const service = await startService(engine)
    try {
      const world = await makeWorld(service)
      const asked = { imports_create: { source: 'footfall', filename: 'a.csv' }, exports_create: { kind: 'hits' } }
      for (const [id, input] of Object.entries(asked)) {
        const operation = service.app.table.operations.get(id) ?? assert.fail(id)
        const ask = async () => (await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)).status
        let free = 0
        while ((await ask()) === 201) free++
        const table = id === 'imports_create' ? 'imports' : 'exports'
        const some = service.store.read.selectFrom(table).select('id').where('site_id', '=', String(world.ids.site)).limit(1)
        await service.store.write.updateTable(table).set({ status: 'cancelled' }).where('id', 'in', some).execute()
        const statuses = await Promise.all(Array.from({ length: 4 }, ask))
        assert.ok(free > 10, id)
        assert.deepEqual(statuses.sort(), [201, 422, 422, 422], id)
      }
    } finally {
      await service.close()
    }
  })

  // SQLite has a single writer: nothing is deleted while a transaction runs.
  test('deleted by another while the transaction runs: 404 where that is why the database refuses a row, 500 where it is not', {
    skip: engine.name === 'sqlite',
  }, async () => {
    const service = await startService(engine)
    try {
      const [world, other] = [await makeWorld(service), await makeWorld(service)]
      const joins = (gone: World | undefined): Operation =>
        operation({
          route: 'POST /workspaces/{workspace_id}/joins',
          summary: 'Join',
          access: 'members.manage',
          on: workspace,
          effect: 'create',
          input: {},
          output: Type.Object({}),
          examples: [{ input: { workspace_id: '{{workspace}}' } }],
          async run({ db, workspace, now, newId }) {
            if (gone)
              await service.store.write
                .deleteFrom('workspaces')
                .where('id', '=', gone.ids.workspace ?? '')
                .execute()
            const account_id = gone ? other.owner.accountId : 'acc_nowhere'
            await db
              .insertInto('members')
              .values({ id: newId(ids.member), workspace_id: workspace.id, account_id, role: 'viewer', active: 1, created_at: now })
              .execute()
            return {}
          },
        })
      for (const [gone, status] of [
        [undefined, 500],
        [world, 404],
      ] as const) {
        assert.equal((await callWith(service, world, named(joins(gone)), async () => {})).status, status)
      }
    } finally {
      await service.close()
    }
  })
})
