import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { fill } from '../../../runtime/ui/slot.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { pendingInvitations } from '../members/records.ts'
import { invitationFields } from './form.tsx'
import { invitations_create, invitations_get } from './operations.ts'
import { m } from './messages.ts'
import { Invitation } from './records.ts'

export const invite = form(invitations_create, invitationFields)

/** Open and expired invitations, for the list of members. */
export const pending = fill(pendingInvitations, async ({ page }) => {
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
})
