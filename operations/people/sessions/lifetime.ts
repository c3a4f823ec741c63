/** When a session ends: some time after its last use, and at the latest some days after it began. */
import type { Config } from '../../../runtime/settings/config.ts'
import { setting, whole } from '../../../runtime/settings/setting.ts'
import type { SessionRow } from '../../../storage/tables/sign-in.ts'

const DAY = 86_400_000

/** The idle end: so long after the last use. */
export const idleMs = 30 * DAY

/** Browsers keep no cookie for longer than 400 days (RFC 6265bis §5.5). */
export const SESSION_DAYS = setting({
  default: '30',
  description: 'Days after which a session ends, however much it is used; it also ends 30 days after its last use',
  ...whole(1, 400),
})

export const longestMs = (config: Pick<Config, 'of'>): number => config.of(SESSION_DAYS) * DAY

type Timed = Pick<SessionRow, 'created_at' | 'expires_at'>

/** The absolute end. It follows the setting at once, also for sessions that began before it was changed. */
export const endsAt = ({ created_at }: Pick<Timed, 'created_at'>, config: Pick<Config, 'of'>): number => created_at + longestMs(config)

/** The earlier of both ends. */
export const expiresAt = (row: Timed, config: Pick<Config, 'of'>): number => Math.min(row.expires_at, endsAt(row, config))
