/** The parts of the consent page: who asks, and the choices of workspace, permissions and sites. */
import type { Caller } from '../../../runtime/table/caller.ts'
import type { Say } from '../../../runtime/texts/index.ts'
import { withParts } from '../../../runtime/texts/with-elements.ts'
import type { Refused } from '../../../runtime/table/page.ts'
import { everydayPermissions, type Permission, permissions } from '../../../runtime/table/permissions.ts'
import { hostOf } from './client.ts'
import { isLoopback } from './redirect.ts'
import { type AuthorizationRequest, type Parameters, parameters } from './request.ts'

/** Most sites and workspaces that are offered: whoever has more takes all sites, or gives a token. */
export const mostShown = 200

export interface Named {
  readonly id: string
  readonly name: string
}

export function Whose({ asked: { client, redirectUri }, say }: { asked: AuthorizationRequest; say: Say }) {
  const host = <b>{hostOf(client.id, redirectUri)}</b>
  return (
    <>
      <p>
        {!client.isVerified
          ? say('It calls itself “{client}”. Nobody has checked that.', { client: client.name })
          : isLoopback(redirectUri)
            ? withParts(say('It says that it is from {host}: any program on this computer can say so.'), { host })
            : withParts(say('It is from {host}.'), { host })}
      </p>
      <p>
        {isLoopback(redirectUri)
          ? withParts(say('Your answer goes to {program}. Allow this only if you have just started that program.'), {
              program: <b>{say('a program on this computer')}</b>,
            })
          : withParts(say('Your answer goes to {host}.'), { host: <b>{hostOf('', redirectUri)}</b> })}
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
export function Workspace({
  chosen,
  workspaces,
  given,
  say,
}: {
  chosen: Named
  workspaces: readonly Named[]
  given: Parameters
  say: Say
}) {
  const others = workspaces.filter(({ id }) => id !== chosen.id)
  return (
    <>
      <p>{withParts(say('It gets into the workspace {name}.'), { name: <b>{chosen.name}</b> })}</p>
      {others.length > 0 && (
        <ul class="help">
          {others.map(({ id, name }) => (
            <li>
              <a href={authorizePath(given, id)}>{say('Choose {name} instead', { name })}</a>
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
  readonly say: Say
}

export function Decision({ asked, given, as, workspaceId, sites, refused, say }: DecisionProps) {
  const offered = asked.permissions.filter(name => as.permissions.has(name))
  return (
    <form method="post" action="/oauth/authorize">
      <Repeated given={given} />
      <input type="hidden" name="workspace_id" value={workspaceId} />
      <input type="hidden" name="_next" value={authorizePath(given, workspaceId)} />
      {offered.length === 0 ? (
        <p class="bad">
          {say('Your role in this workspace, {role}, allows nothing of what it asks for.', { role: say(as.member?.role ?? '') })}
        </p>
      ) : (
        <>
          <Permissions offered={offered} refused={refused} say={say} />
          <Sites sites={sites} widest={offered.some(name => !everydayPermissions.includes(name))} refused={refused} say={say} />
          <p class="help">
            {say(
              'It stays connected for a year at most, until you disconnect it, or until it has not been used for 30 days. It can never do more than your role allows.',
            )}
          </p>
        </>
      )}
      <p class="ends">
        {offered.length > 0 && (
          <button type="submit" name="decision" value="allow">
            {say('Allow')}
          </button>
        )}{' '}
        <button type="submit" name="decision" value="deny" class="plain">
          {say('Deny')}
        </button>
      </p>
    </form>
  )
}

/** Ticked until somebody decides otherwise: whoever just clicks on gives nothing but reports to read. */
const ticked: Permission = 'analytics.read'

function Permissions({ offered, refused, say }: { offered: readonly Permission[]; refused: Refused | undefined; say: Say }) {
  const isChosen = (name: string) => refused?.values.getAll('permissions').includes(name) ?? name === ticked
  return (
    <fieldset class="group">
      <legend>{say('What it may do')}</legend>
      <div class="choices">
        {offered.map(name => (
          <label>
            <input type="checkbox" name="permissions" value={name} checked={isChosen(name)} /> {say(permissions[name])}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SitesProps {
  readonly sites: readonly Named[]
  readonly widest: boolean
  readonly refused: Refused | undefined
  readonly say: Say
}

function Sites({ sites, widest, refused, say }: SitesProps) {
  const isSome = refused?.values.get('sites') === 'some'
  const chosen = refused?.values.getAll('site_ids') ?? []
  return (
    <fieldset class="group">
      <legend>{say('For which sites')}</legend>
      <div class="choices">
        <label>
          <input type="radio" name="sites" value="all" checked={!isSome} /> {say('All, later ones too')}
        </label>
        {sites.length > 0 && (
          <label>
            <input type="radio" name="sites" value="some" checked={isSome} /> {say('Only these:')}
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
      {sites.length > mostShown && <p class="help">{say('The first {count} are shown.', { count: mostShown })}</p>}
      {widest && <p class="help">{say('With only some sites, it gets nothing that concerns the whole workspace.')}</p>}
    </fieldset>
  )
}
