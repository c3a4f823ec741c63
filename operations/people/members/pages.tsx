import type { Static } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { OperationForm } from '../../../runtime/ui/form.tsx'
import { settings } from '../../../runtime/ui/settings.ts'
import { Icon, Letter } from '../../../runtime/ui/icons/icon.tsx'
import { listView } from '../../../runtime/ui/view.ts'
import { capital } from '../../../runtime/texts/names.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { Workspace } from '../workspaces/records.ts'
import { inviteForm, Member, pendingInvitations } from './records.ts'
import { roleDescriptions } from '../roles/index.ts'
import { rolesInOrder } from './components.tsx'
import { m } from './messages.ts'
import { members_update } from './operations.ts'

/** Members of a workspace, and the people who have been invited to it, in one list. */
export const members = listView(Member, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const invited = (await page.fill(pendingInvitations, {})) ?? []
  const invite = await page.fill(inviteForm, {})
  const content = (
    <div class="card">
      {invite?.form}
      <ul class="rows people">
        {rows.map(row => (
          <Person
            {...row}
            href={page.hrefOf(row)}
            state={row.status === 'active' ? null : <Tag value={row.status} viewer={page.viewer} />}
            role={valueWords(row.role, page.viewer)}
            menu={<Menu member={row} href={page.hrefOf(row)} page={page} />}
          >
            {say(page.viewer, m.joined_at, { when: instant(row.created_at, page.viewer) })}
          </Person>
        ))}
        {invited.map(({ email, role, about, state, href }) => (
          <Person name={null} email={email} href={href} state={state} role={valueWords(role, page.viewer)}>
            {about}
          </Person>
        ))}
      </ul>
    </div>
  )
  return { content, ...(invite && { has: [invite.of] }) }
})

interface PersonProps extends Pick<Static<typeof Member>, 'email' | 'name'> {
  readonly href: string | undefined
  readonly role: string
  readonly state: Child
  /** Actions; an invitation has them on its page. */
  readonly menu?: Child
  readonly children: Child
}

const Person = ({ email, name, href, role, state, menu, children }: PersonProps) => (
  <li>
    <Letter text={name ?? email} size="round" />
    <div>
      <a href={href}>
        <b>{name ?? email}</b>
      </a>{' '}
      {state}
      <p class="help">
        {name === null ? '' : `${email} · `}
        {children}
      </p>
    </div>
    {menu ?? <span class="tag plain">{role}</span>}
  </li>
)

interface MenuProps {
  readonly member: Static<typeof Member>
  readonly href: string | undefined
  readonly page: ViewedPage
}

/** The role of a member, which opens to change it, or to remove the member. */
function Menu({ member, href, page: { viewer, url, within } }: MenuProps) {
  const { id, role, status } = member
  return (
    <details class="more">
      <summary class="tag plain">
        {valueWords(role, viewer)} <span class="unseen">{say(viewer, m.change_of, { name: member.name ?? member.email })}</span>
        <Icon name="down" size="small" />
      </summary>
      <div class="card drop role-menu">
        <OperationForm
          of={members_update}
          path={{ workspace_id: within(Workspace)?.id ?? '', id }}
          hidden={{ _back: url.pathname }}
          refused={undefined}
        >
          {({ drawnFrom, nameOf }) => (
            <>
              {drawnFrom(member, ['role'])}
              <fieldset>
                <legend class="unseen">{fieldWords('role', viewer)}</legend>
                {rolesInOrder.map(each => (
                  <label>
                    <input type="radio" name={nameOf('role')} value={each} checked={each === role} />
                    <span>
                      <b>{capital(valueWords(each, viewer))}</b>
                      <span class="help">{say(viewer, roleDescriptions[each])}</span>
                    </span>
                  </label>
                ))}
              </fieldset>
              <button type="submit">{say(viewer, m.save_role)}</button>
            </>
          )}
        </OperationForm>
        {href !== undefined && (
          <p class="ways">
            <a href={`${href}?do=members_update`}>{say(viewer, status === 'active' ? m.deactivate : m.activate)}</a>
            <a class="danger" href={`${href}?do=members_delete`}>
              {say(viewer, m.remove)}
            </a>
          </p>
        )}
      </div>
    </details>
  )
}

/** Role and access, on the page of the member. */
export const memberSettings = settings(members_update, [
  { fields: ['role', 'status'], words: { role: { help: m.role_help }, status: { label: m.access, help: m.access_help } } },
])
