/** What somebody is shown who is asked to let a client in, and what they can choose. */
import type { Caller } from '../../../runtime/caller.ts'
import type { Refused } from '../../../runtime/page.ts'
import { everydayPermissions, type Permission, permissions } from '../../../runtime/permissions.ts'
import { hostOf } from './client.ts'
import { isLoopback } from './redirect.ts'
import { type AuthorizationRequest, type Parameters, parameters } from './request.ts'

/** Most sites and workspaces that are offered: whoever has more takes all sites, or gives a token. */
export const mostShown = 200

export interface Named {
  readonly id: string
  readonly name: string
}

export function Whose({ asked: { client, redirectUri } }: { asked: AuthorizationRequest }) {
  const host = hostOf(client.id, redirectUri)
  return (
    <>
      <p>
        {client.isVerified ? (
          <>
            It is from <b>{host}</b>.
          </>
        ) : (
          <>It calls itself “{client.name}”. Nobody has checked that.</>
        )}
      </p>
      <p>
        {isLoopback(redirectUri) ? (
          <>
            It is let in through <b>a program on this computer</b>. Allow this only if you have just started that program.
          </>
        ) : (
          <>
            It is let in through <b>{hostOf('', redirectUri)}</b>.
          </>
        )}
      </p>
    </>
  )
}

/** As hidden fields, so that the request is whole again. */
function Repeated({ given }: { given: Parameters }) {
  return (
    <>
      {parameters.map(name => {
        const value = given[name]
        return value === undefined ? null : <input type="hidden" name={name} value={value} />
      })}
    </>
  )
}

export function Workspace({ chosen, workspaces, given }: { chosen: Named; workspaces: readonly Named[]; given: Parameters }) {
  if (workspaces.length === 1) {
    return (
      <p>
        Into the workspace <b>{chosen.name}</b>.
      </p>
    )
  }
  return (
    <form method="get" action="/oauth/authorize">
      <Repeated given={given} />
      <p class="field">
        <label for="workspace_id">Workspace</label>
        <select id="workspace_id" name="workspace_id">
          {workspaces.map(({ id, name }) => (
            <option value={id} selected={id === chosen.id}>
              {name}
            </option>
          ))}
        </select>
      </p>
      <p>
        Into the workspace <b>{chosen.name}</b>.{' '}
        <button type="submit" class="plain">
          Choose the other
        </button>
      </p>
    </form>
  )
}

interface DecisionProps {
  readonly asked: AuthorizationRequest
  readonly given: Parameters
  readonly as: Caller
  readonly workspaceId: string
  readonly sites: readonly Named[]
  readonly refused: Refused | undefined
}

export function Decision({ asked, given, as, workspaceId, sites, refused }: DecisionProps) {
  const offered = asked.permissions.filter(name => as.permissions.has(name))
  const again = `/oauth/authorize?${new URLSearchParams({ ...given, workspace_id: workspaceId })}`
  return (
    <form method="post" action="/oauth/authorize">
      <Repeated given={given} />
      <input type="hidden" name="workspace_id" value={workspaceId} />
      <input type="hidden" name="_next" value={again} />
      {offered.length === 0 ? (
        <p class="bad">Your role in this workspace, {as.member?.role}, allows nothing of what it asks for.</p>
      ) : (
        <>
          <Permissions offered={offered} refused={refused} />
          <Sites sites={sites} widest={offered.some(name => !everydayPermissions.includes(name))} refused={refused} />
          <p class="help">
            It stays connected until you disconnect it, or until it has not been used for 30 days. It never may more than your role allows.
          </p>
        </>
      )}
      <p class="ends">
        {offered.length > 0 && (
          <button type="submit" name="decision" value="allow">
            Allow
          </button>
        )}{' '}
        <button type="submit" name="decision" value="deny" class="plain">
          Deny
        </button>
      </p>
    </form>
  )
}

function Permissions({ offered, refused }: { offered: readonly Permission[]; refused: Refused | undefined }) {
  const isChosen = (name: string) => refused?.values.getAll('permissions').includes(name) ?? true
  return (
    <fieldset class="group">
      <legend>What it may do</legend>
      <div class="choices">
        {offered.map(name => (
          <label>
            <input type="checkbox" name="permissions" value={name} checked={isChosen(name)} /> {permissions[name]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Sites({ sites, widest, refused }: { sites: readonly Named[]; widest: boolean; refused: Refused | undefined }) {
  const isSome = refused?.values.get('sites') === 'some'
  const chosen = refused?.values.getAll('site_ids') ?? []
  return (
    <fieldset class="group">
      <legend>For which sites</legend>
      <div class="choices">
        <label>
          <input type="radio" name="sites" value="all" checked={!isSome} /> All, later ones too
        </label>
        {sites.length > 0 && (
          <label>
            <input type="radio" name="sites" value="some" checked={isSome} /> Only these:
          </label>
        )}
      </div>
      <div class="choices">
        {sites.slice(0, mostShown).map(({ id, name }) => (
          <label>
            <input type="checkbox" name="site_ids" value={id} checked={chosen.includes(id)} /> {name}
          </label>
        ))}
      </div>
      {sites.length > mostShown && <p class="help">The first {mostShown} are shown.</p>}
      {widest && <p class="help">With some sites alone, it gets nothing that concerns the whole workspace.</p>}
    </fieldset>
  )
}
