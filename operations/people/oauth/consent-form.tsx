/** The parts of the consent page: who asks, and the choices of workspace, permissions and sites. */
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
        {!client.isVerified ? (
          <>It calls itself “{client.name}”. Nobody has checked that.</>
        ) : isLoopback(redirectUri) ? (
          <>
            It says that it is from <b>{host}</b>: any program on this computer can say so.
          </>
        ) : (
          <>
            It is from <b>{host}</b>.
          </>
        )}
      </p>
      <p>
        {isLoopback(redirectUri) ? (
          <>
            Your answer goes to <b>a program on this computer</b>. Allow this only if you have just started that program.
          </>
        ) : (
          <>
            Your answer goes to <b>{hostOf('', redirectUri)}</b>.
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

/** Other workspaces are links: what is allowed depends on the role there, and what is seen is what is sent. */
export function Workspace({ chosen, workspaces, given }: { chosen: Named; workspaces: readonly Named[]; given: Parameters }) {
  const others = workspaces.filter(({ id }) => id !== chosen.id)
  return (
    <>
      <p>
        It gets into the workspace <b>{chosen.name}</b>.
      </p>
      {others.length > 0 && (
        <ul class="help">
          {others.map(({ id, name }) => (
            <li>
              <a href={authorizePath(given, id)}>Choose {name} instead</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The request again, for this workspace. */
const authorizePath = (given: Parameters, workspaceId: string): string =>
  `/oauth/authorize?${new URLSearchParams({ ...given, workspace_id: workspaceId })}`

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
  return (
    <form method="post" action="/oauth/authorize">
      <Repeated given={given} />
      <input type="hidden" name="workspace_id" value={workspaceId} />
      <input type="hidden" name="_next" value={authorizePath(given, workspaceId)} />
      {offered.length === 0 ? (
        <p class="bad">Your role in this workspace, {as.member?.role}, allows nothing of what it asks for.</p>
      ) : (
        <>
          <Permissions offered={offered} refused={refused} />
          <Sites sites={sites} widest={offered.some(name => !everydayPermissions.includes(name))} refused={refused} />
          <p class="help">
            It stays connected until you disconnect it, or until it has not been used for 30 days. It can never do more than your role
            allows.
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
