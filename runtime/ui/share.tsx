/** Parts that several views share. */
import type { Child } from 'hono/jsx'
import type { IconName } from '../table/icons.ts'
import { Icon } from './icons/icon.tsx'

/** Drawn behind the first cell of a row, as wide as its part of the largest one. */
export const Bar = ({ value, max }: { value: number; max: number }) => (
  <svg class="bar" aria-hidden="true" focusable="false">
    <rect width={`${Math.round((1000 * value) / max) / 10}%`} height="100%" rx="4" />
  </svg>
)

export interface LikeProps {
  readonly icon: IconName
  readonly rows: readonly (readonly [name: string, detail: string])[]
}

/** A few rows as they may look once there is something: a picture, which screen readers skip. */
export const Like = ({ icon, rows }: LikeProps) => (
  <ul class="like" aria-hidden="true">
    {rows.map(([name, detail]) => (
      <li>
        <Icon name={icon} /> <span>{name}</span> <small>{detail}</small>
      </li>
    ))}
  </ul>
)

interface NothingProps {
  /** Says in a sentence that there is nothing. */
  readonly children: string
  readonly like?: LikeProps
  /** How to have something here. */
  readonly help?: Child
}

/** Where a report has nothing to show. */
export const Nothing = ({ children, like, help }: NothingProps) => (
  <div class="card empty">
    {like && <Like {...like} />}
    <p class={like && 'none-yet'}>{children}</p>
    {help && <p class="help">{help}</p>}
  </div>
)
