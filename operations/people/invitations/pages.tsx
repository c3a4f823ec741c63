import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { OperationForm } from '../../../runtime/ui/form.tsx'
import { shortOf } from '../../../runtime/table/operation-names.ts'
import { capital } from '../../../runtime/texts/names.ts'
import { declaredText } from '../../../runtime/texts/catalogues.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { fill } from '../../../runtime/ui/slot.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { rolesInOrder } from '../members/components.tsx'
import { inviteForm, pendingInvitations } from '../members/records.ts'
import { Workspace } from '../workspaces/records.ts'
import { invitationFields } from './form.tsx'
import { invitations_create, invitations_get } from './operations.ts'
import { m } from './messages.ts'
import { Invitation } from './records.ts'

export const invite = form(invitations_create, invitationFields)

/** Most invitations need only an address and a role: no form has to be opened for them. */
export const inviteHere = fill(inviteForm, ({ page }) => {
  const { viewer } = page
  if (page.formFor(invitations_create, {}) === undefined) return undefined
  const form = (
    <OperationForm of={invitations_create} path={{ workspace_id: page.within(Workspace)?.id ?? '' }} class="at-once" refused={undefined}>
      {({ field }) => (
        <>
          {field('email', { label: say(viewer, m.their_address), type: 'email', autocomplete: 'off' })}
          {field('role', {
            label: fieldWords('role', viewer),
            value: 'viewer',
            options: rolesInOrder.map(role => [role, capital(valueWords(role, viewer))] as const),
          })}
          <button type="submit">{declaredText(viewer, shortOf(invitations_create))}</button>
        </>
      )}
    </OperationForm>
  ) as Content
  return { form, of: invitations_create }
})

/** Open and expired invitations, for the list of members. */
export const pending = fill(
  pendingInvitations,
  async ({ page }) => {
    const rows = (await page.ask(listOf(Invitation), { per_page: 100 })) ?? []
    const { viewer } = page
    return rows.map(({ id, email, role, status, expires_at }) => ({
      email,
      role,
      href: page.pathOf(invitations_get, { id }),
      state: (status === 'open' ? (
        <span class="tag plain">{say(viewer, m.invited)}</span>
      ) : (
        <Tag value={status} viewer={viewer} />
      )) as Content,
      about: say(viewer, status === 'open' ? m.link_ends : m.link_ended, { when: instant(expires_at, viewer) }),
    }))
  },
  { parts: [Invitation] },
)
