/** API tokens: whose they are, what they may do and how long, to recognise one and to take it away. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { type Key, say } from '../../../runtime/ui/languages/index.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { list, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const tokens: View = {
  async show(seen) {
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    return {
      content: (
        <ul class="folded">
          {rows.map(row => (
            <li class="card">
              <Token row={row} seen={seen} />
            </li>
          ))}
        </ul>
      ),
    }
  },
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function Token({ row, seen: { viewer, actionsOf } }: { row: Row; seen: Seen }) {
  const [permissions, sites, addresses] = [texts(row.permissions), texts(row.site_ids), texts(row.allowed_ips)]
  const at = (value: unknown, then: Key, never: Key): string =>
    typeof value === 'string' ? say(viewer, then, { when: instant(value, viewer) }) : say(viewer, never)
  return (
    <div class="between">
      <div>
        <p>
          <b>{text(row.name)}</b> <code>{text(row.token_prefix)}…</code> <Tag value={row.status} viewer={viewer} />
        </p>
        <p class="help">
          {text(row.owner)} · {sites.length === 0 ? say(viewer, 'all_sites') : say(viewer, 'sites_counted', { count: sites.length })} ·{' '}
          {addresses.length === 0 ? say(viewer, 'from_anywhere') : say(viewer, 'from_address', { address: addresses.join(', ') })} ·{' '}
          {at(row.last_used_at, 'last_used', 'never_used')} ·{' '}
          {typeof row.revoked_at === 'string'
            ? at(row.revoked_at, 'revoked_at', 'unknown')
            : at(row.expires_at, 'expires_at', 'never_expires')}
        </p>
        <details>
          <summary class="help">{say(viewer, 'permissions_counted', { count: permissions.length })}</summary>
          <p>{permissions.map(name => valueWords(name, viewer)).join(' · ')}</p>
        </details>
      </div>
      <span>
        {actionsOf(row).map(({ href, label }) => (
          <a class="button plain" href={href}>
            {label} <span class="unseen">{text(row.name)}</span>
          </a>
        ))}
      </span>
    </div>
  )
}
