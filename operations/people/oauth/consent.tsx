/**
 * The consent page, to which clients send people. They sign in first, then see which client requests which permissions, and decide. It never
 * redirects to a client without a decision: anyone can register a client, so it would be an open redirect (RFC 9700 §4.11.2).
 */
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { workspacesOf } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { Faults } from '../../../runtime/ui/form.tsx'
import { page } from '../../../runtime/table/page.ts'
import type { Db } from '../../../storage/store.ts'
import { Decision, maxShown, type Named, ClientSection, Workspace } from './consent-form.tsx'
import { ClientFault } from './fault.ts'
import { leadsTo } from './redirect.ts'
import { parametersIn, readRequest } from './request.ts'
import { nowhere, trouble, ungrantable } from './error-page.tsx'
import { m } from './messages.ts'

export const authorize = page({
  route: 'GET /oauth/authorize',
  summary: 'Let an OAuth client in',
  access: 'session',
  async show({ query, caller, refused, now, say }, { store, config, use }: HandlerServices) {
    const typed = refused?.values ?? query
    if (!caller?.member) return fail('authentication_required')
    const { accountId } = caller.member
    try {
      const given = parametersIn(typed)
      const asked = await readRequest({ store, config, use, now, accountId }, given)
      if ('error' in asked) return ungrantable(asked, { given, iss: config.BASE_URL, say })
      const workspaces = await workspacesIn(store.read, workspacesOf(caller))
      const chosen = workspaces.find(({ id }) => id === typed.get('workspace_id')) ?? workspaces.find(({ id }) => id === caller.workspaceId)
      if (!chosen) return nowhere(asked, { given, iss: config.BASE_URL, say })
      const as = caller.elsewhere?.get(chosen.id) ?? caller
      return {
        title: say(m.connect_client, { client: asked.client.name }),
        width: 'narrow',
        leadsTo: leadsTo(asked.redirectUri),
        content: (
          <section class="card">
            <h1>{say(m.connect_client_2, { client: asked.client.name })}</h1>
            <ClientSection asked={asked} say={say} />
            <Faults refused={refused} />
            <Workspace chosen={chosen} workspaces={workspaces} given={given} say={say} />
            <Decision
              asked={asked}
              given={given}
              as={as}
              workspaceId={chosen.id}
              sites={await sitesOf(store.read, chosen.id)}
              refused={refused}
              say={say}
            />
          </section>
        ),
      }
    } catch (thrown) {
      if (thrown instanceof ClientFault) return trouble(say(thrown.sentence), say)
      throw thrown
    }
  },
})

function workspacesIn(db: Db, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('workspaces').select(['id', 'name']).where('id', 'in', ids).orderBy('name').orderBy('id').limit(maxShown).execute()
}

async function sitesOf(db: Db, workspaceId: string): Promise<Named[]> {
  const own = db.selectFrom('sites').select(['id', 'name', 'domain']).where('workspace_id', '=', workspaceId)
  const rows = await own
    .where('domain', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('domain')
    .orderBy('id')
    .limit(maxShown + 1)
    .execute()
  return rows.map(({ id, name, domain }) => ({ id, name: domain ?? name }))
}
