/** Sections of the consent page: the client, and the choices of workspace, permissions and sites. */
import type { Caller } from '../../../runtime/table/caller.ts'
import type { Refused } from '../../../runtime/table/page.ts'
import { everydayPermissions, type Permission } from '../../../runtime/table/permissions.ts'
import { hostOf } from './client.ts'
import { isLoopback } from './redirect.ts'
import { type AuthorizationRequest, type Parameters, parameters } from './request.ts'
import { m } from './messages.ts'
import { type Say, sayParts } from '../../../runtime/texts/say.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { domainText } from '../../../runtime/ui/domain-text.ts'
import { Form } from '../../../runtime/ui/form.tsx'
import { valueWords } from '../../../runtime/ui/words.ts'

/** Largest number of sites and workspaces that are offered. With more, choose all sites or create a token. */
export const maxShown = 200

export interface Named {
  readonly id: string
  readonly name: string
}

export function ClientSection({ asked: { client, redirectUri }, say }: { asked: AuthorizationRequest; say: Say }) {
  const host = <b>{domainText(hostOf(client.id, redirectUri))}</b>
  return (
    <>
      <p>
        {!client.isVerified
          ? say(m.name_is_not_verified, { client: client.name })
          : isLoopback(redirectUri)
            ? sayParts(say, m.claims_to_be_from, { host })
            : sayParts(say, m.it_is_from_host, { host })}
      </p>
      <p>
        {isLoopback(redirectUri)
          ? sayParts(say, m.your_answer_goes_to_program_allow, {
              program: <b>{say(m.a_program_on_this_computer)}</b>,
            })
          : sayParts(say, m.your_answer_goes_to_host, { host: <b>{domainText(hostOf('', redirectUri))}</b> })}
      </p>
    </>
  )
}

/** The parameters as hidden fields, so that the request stays complete. */
const repeated = (given: Parameters) => Object.fromEntries(parameters.map(name => [name, given[name]]))

/** Other workspaces are links that reload the page, because the allowed permissions depend on the role there. */
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
      <p>{sayParts(say, m.it_gets_into_the_workspace_name, { name: <b>{chosen.name}</b> })}</p>
      {others.length > 0 && (
        <ul class="help">
          {others.map(({ id, name }) => (
            <li>
              <a href={authorizePath(given, id)}>{say(m.choose_name_instead, { name })}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The path of the same request for another workspace. */
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
    <Form action="/oauth/authorize" hidden={{ ...repeated(given), workspace_id: workspaceId, _next: authorizePath(given, workspaceId) }}>
      {offered.length === 0 ? (
        <p class="bad">{say(m.your_role_in_this_workspace_role, { role: say(valueTerm(as.member?.role ?? '')) })}</p>
      ) : (
        <>
          <Permissions offered={offered} refused={refused} say={say} />
          <Sites sites={sites} widest={offered.some(name => !everydayPermissions.includes(name))} refused={refused} say={say} />
          <p class="help">{say(m.it_stays_connected_for_a_year)}</p>
        </>
      )}
      <p class="ends">
        {offered.length > 0 && (
          <button type="submit" name="decision" value="allow">
            {say(m.allow)}
          </button>
        )}{' '}
        <button type="submit" name="decision" value="deny" class="plain">
          {say(m.deny)}
        </button>
      </p>
    </Form>
  )
}

/** The only permission that is ticked at first: a person who clicks through grants only reading of reports. */
const ticked: Permission = 'analytics.read'

function Permissions({ offered, refused, say }: { offered: readonly Permission[]; refused: Refused | undefined; say: Say }) {
  const isChosen = (name: string) => refused?.values.getAll('permissions').includes(name) ?? name === ticked
  return (
    <fieldset class="group">
      <legend>{say(m.permissions)}</legend>
      <div class="choices">
        {offered.map(name => (
          <label>
            <input type="checkbox" name="permissions" value={name} checked={isChosen(name)} /> {valueWords(name, say)}
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
      <legend>{say(m.for_which_sites)}</legend>
      <div class="choices">
        <label>
          <input type="radio" name="sites" value="all" checked={!isSome} /> {say(m.all_later_ones_too)}
        </label>
        {sites.length > 0 && (
          <label>
            <input type="radio" name="sites" value="some" checked={isSome} /> {say(m.only_these)}
          </label>
        )}
      </div>
      <div class="choices">
        {sites.slice(0, maxShown).map(({ id, name }) => (
          <label>
            <input type="checkbox" name="site_ids" value={id} checked={chosen.includes(id)} /> {domainText(name)}
          </label>
        ))}
      </div>
      {sites.length > maxShown && <p class="help">{say(m.the_first_count_are_shown, { count: maxShown })}</p>}
      {widest && <p class="help">{say(m.with_only_some_sites_it_gets)}</p>}
    </fieldset>
  )
}
