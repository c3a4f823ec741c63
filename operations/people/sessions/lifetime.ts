/** When a session ends: a time after its last use, and at the latest a number of days after it began. */
import type { Config } from '../../../runtime/settings/config.ts'
import { setting, whole } from '../../../runtime/settings/setting.ts'
import type { SessionRow } from '../../../storage/tables/sign-in.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** Idle lifetime: a session ends this long after its last use, ms. */
export const idleMs = 30 * DAY_MS

/** Browsers keep no cookie for longer than 400 days (RFC 6265bis §5.5). */
export const SESSION_DAYS = setting({
  default: '30',
  description: 'Days after which a session ends, even if it is used; it also ends 30 days after its last use',
  ...whole(1, 400),
})

export const maxMs = (config: Pick<Config, 'of'>): number => config.of(SESSION_DAYS) * DAY_MS

type Timed = Pick<SessionRow, 'created_at' | 'expires_at'>

/** The absolute end. A change of the setting applies at once, also to existing sessions. */
export const endsAt = ({ created_at }: Pick<Timed, 'created_at'>, config: Pick<Config, 'of'>): number => created_at + maxMs(config)

/** The earlier of both ends. */
export const expiresAt = (row: Timed, config: Pick<Config, 'of'>): number => Math.min(row.expires_at, endsAt(row, config))
