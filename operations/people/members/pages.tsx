import type { Static } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { Letter } from '../../../runtime/ui/icons/icon.tsx'
import { listView } from '../../../runtime/ui/view.ts'
import { say } from '../../../runtime/texts/say.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { Member, pendingInvitations } from './records.ts'
import { m } from './messages.ts'

/** Members of a workspace, and the people who have been invited to it, in one list. */
export const members = listView(Member, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const invited = (await page.fill(pendingInvitations, {})) ?? []
  return (
    <div class="card">
      <ul class="rows people">
        {rows.map(row => (
          <Person
            {...row}
            href={page.hrefOf(row)}
            state={row.status === 'active' ? null : <Tag value={row.status} viewer={page.viewer} />}
            role={valueWords(row.role, page.viewer)}
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
})

interface PersonProps extends Pick<Static<typeof Member>, 'email' | 'name'> {
  readonly href: string | undefined
  readonly role: string
  readonly state: Child
  readonly children: Child
}

const Person = ({ email, name, href, role, state, children }: PersonProps) => (
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
    <span class="tag plain">{role}</span>
  </li>
)
