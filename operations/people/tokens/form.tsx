/** The form of a token: its rights first, with presets. A form without a chosen right is refused: it never means all rights. */
import type { Content } from '../../../runtime/table/page.ts'
import type { Permission } from '../../../runtime/table/permissions.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { say } from '../../../runtime/texts/say.ts'
import { DraftButton } from '../../../runtime/ui/fields/redraw.tsx'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { m } from './messages.ts'

const presets: readonly (readonly [label: PlainMessage, permissions: readonly Permission[]])[] = [
  [m.preset_read, ['analytics.read']],
  [m.preset_export, ['analytics.read', 'analytics.export']],
  [m.preset_content, ['analytics.read', 'content.write']],
  [m.preset_hits, ['sites.manage']],
]

export function tokenFields(parts: FormParts<'name' | 'permissions' | 'site_ids' | 'expires_at' | 'allowed_ips'>): Content {
  const { reader } = parts
  parts.begin({ permissions: ['analytics.read'] })
  return (
    <>
      {parts.field('name', { placeholder: say(reader, m.proposed_name) })}
      <fieldset class="presets">
        <legend class="unseen">{say(reader, m.presets)}</legend>
        {presets.map(([label, permissions]) => (
          <DraftButton does={`fill /permissions ${permissions.join(',')}`} icon="key" label={say(reader, label)} />
        ))}
      </fieldset>
      {parts.field('permissions', { label: say(reader, m.may), help: say(reader, m.may_help) })}
      {parts.field('expires_at')}
      {parts.more()}
    </>
  ) as Content
}

/** The operation takes all rights of its caller if none are named, which a form never means. */
export const tokenSent = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...values,
  permissions: values.permissions ?? [],
})
