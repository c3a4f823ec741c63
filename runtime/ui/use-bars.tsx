/** How much of each limit is used, as a bar next to the figures. */
import { plainNumber, type Viewer } from './format.ts'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

export interface Use {
  readonly label: string
  readonly used: number
  /** Null: no limit. */
  readonly limit: number | null
}

interface UseBarsProps {
  readonly uses: readonly Use[]
  /** Limits without a use that is counted, in words. */
  readonly others?: readonly { readonly label: string; readonly value: string }[]
  readonly viewer: Viewer
}

export function UseBars({ uses, others = [], viewer }: UseBarsProps) {
  return (
    <ul class="uses">
      {uses.map(({ label, used, limit }) => {
        const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit)
        return (
          <li>
            <span class="name">{label}</span>
            <span class="figures">
              {limit === null
                ? say(viewer, ui.used_without_limit, { used: plainNumber(used, viewer) })
                : say(viewer, ui.used_of, { used: plainNumber(used, viewer), limit: plainNumber(limit, viewer) })}
            </span>
            {limit !== null && (
              <svg class={share >= 1 ? 'use full' : share >= 0.8 ? 'use near' : 'use'} aria-hidden="true" focusable="false">
                <rect class="whole" width="100%" height="100%" rx="4" />
                <rect class="part" width={`${Math.round(share * 1000) / 10}%`} height="100%" rx="4" />
              </svg>
            )}
          </li>
        )
      })}
      {others.map(({ label, value }) => (
        <li>
          <span class="name">{label}</span>
          <span class="figures">{value}</span>
        </li>
      ))}
    </ul>
  )
}
