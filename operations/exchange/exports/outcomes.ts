/** How operations answer exports: of a site, and of a workspace. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import { m } from './messages.ts'

/** The services that make a download link. */
export interface LinkServices {
  readonly db: Db
  readonly box: SecretBox
  readonly config: Config
  readonly now: number
}

/** Sentences of the states that an export may have after its creation. */
export const created = {
  succeeded: m.the_file_is_ready,
  failed: m.the_export_failed,
  pending: m.export_created,
  cancelled: m.export_cancelled,
}
