import type { Static } from '@sinclair/typebox'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { listView } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { tokenFields, tokenSent } from './form.tsx'
import { api_tokens_create } from './operations.ts'
import { ApiToken } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'

/** API tokens as cards: their owner, permissions, restrictions and last use. */
export const tokens = listView(ApiToken, ({ rows, page }) =>
  rows.length === 0 ? undefined : (
    <ul class="folded">
      {rows.map(row => (
        <li class="card">
          <Token row={row} page={page} />
        </li>
      ))}
    </ul>
  ),
)

function Token({ row, page: { viewer, actionsOf } }: { row: Static<typeof ApiToken>; page: ViewedPage }) {
  const { permissions, site_ids: sites, allowed_ips: addresses } = row
  const at = (value: string | null, then: typeof m.last_used | typeof m.expires_at, never: PlainMessage): string =>
    value === null ? say(viewer, never) : say(viewer, then({ when: instant(value, viewer) }))
  return (
    <div class="between">
      <div>
        <p>
          <b>{row.name}</b> <code>{row.token_prefix}…</code> <Tag value={row.status} viewer={viewer} />
          {row.replaced_by !== null && <> {say(viewer, m.rotated)}</>}
        </p>
        <p class="help">
          {row.owner} · {sites.length === 0 ? say(viewer, m.all_sites) : say(viewer, m.sites_counted, { count: sites.length })} ·{' '}
          {addresses.length === 0 ? say(viewer, m.from_anywhere) : say(viewer, ui.from_address, { address: addresses.join(', ') })} ·{' '}
          {at(row.last_used_at, m.last_used, m.never_used)} ·{' '}
          {row.revoked_at === null
            ? at(row.expires_at, m.expires_at, m.never_expires)
            : say(viewer, m.revoked_at, { when: instant(row.revoked_at, viewer) })}
        </p>
        <details>
          <summary class="help">{say(viewer, m.permissions_counted, { count: permissions.length })}</summary>
          <p>{permissions.map(name => valueWords(name, viewer)).join(' · ')}</p>
        </details>
      </div>
      <span class="ways">
        {actionsOf(row).map(({ href, label }) => (
          <a class="button plain" href={href}>
            {label} <span class="unseen">{row.name}</span>
          </a>
        ))}
      </span>
    </div>
  )
}

export const createToken = form(api_tokens_create, tokenFields, { sent: tokenSent })
