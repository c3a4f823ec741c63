/** API tokens: whose they are, what they may do and how long, to recognise one and to take it away. */
import { Tag } from '../cell.tsx'
import { instant } from '../format.ts'
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
  const at = (value: unknown, none: string): string => (typeof value === 'string' ? instant(value, viewer) : none)
  return (
    <div class="between">
      <div>
        <p>
          <b>{text(row.name)}</b> <code>{text(row.token_prefix)}…</code> <Tag value={row.status} />
        </p>
        <p class="help">
          {text(row.owner)} · {sites.length === 0 ? 'all sites' : `${sites.length} ${sites.length === 1 ? 'site' : 'sites'}`} ·{' '}
          {addresses.length === 0 ? 'from anywhere' : `from ${addresses.join(', ')}`} · last used {at(row.last_used_at, 'never')} ·{' '}
          {typeof row.revoked_at === 'string' ? `revoked ${at(row.revoked_at, '')}` : `expires ${at(row.expires_at, 'never')}`}
        </p>
        <details>
          <summary class="help">
            {permissions.length} {permissions.length === 1 ? 'permission' : 'permissions'}
          </summary>
          <p>{permissions.join(', ')}</p>
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
