/** The form of an invitation: who, and what they may do. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { roleCards } from '../members/components.tsx'
import { m } from './messages.ts'

export function invitationFields(parts: FormParts<'email' | 'role'>): Content {
  const { reader } = parts
  parts.begin({ role: 'viewer' })
  return (
    <>
      {parts.field('email', { label: say(reader, m.their_address), help: '', placeholder: 'name@example.com' })}
      {parts.kinds('role', roleCards(reader), { label: say(reader, m.may), isFinal: true })}
    </>
  ) as Content
}
