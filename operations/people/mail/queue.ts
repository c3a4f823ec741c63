/**
 * Queues mails in the transaction of the change that they report; a task sends them. Mails may contain secrets (a link to
 * a new password), so queued mails are encrypted and sent ones are deleted.
 */
import type { Config } from '../../../runtime/settings/config.ts'
import { type IdKind, idKind } from '../../../runtime/values/ids.ts'
import type { Resource } from '../../../runtime/settings/resource.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import type { Say } from '../../../runtime/texts/say.ts'
import type { Db } from '../../../storage/store.ts'
import { SMTP_URL } from './settings.ts'

export const ids = { mail: idKind('mail_') }

export interface Mailing {
  readonly db: Db
  readonly now: number
  readonly config: Config
  newId(kind: IdKind): string
  use<T>(resource: Resource<T>): T
}

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Paragraphs of plain text. An address of this service that is one is a button in the HTML part. */
  readonly text: readonly string[]
  /** Label of that button. Without it, “Open”. */
  readonly open?: string
  /** The language that they are in. */
  readonly say: Say
}

/** Whether a mail server is configured. */
export const canMail = (config: Config): boolean => config.of(SMTP_URL) !== ''

/** The content of a queued mail. `locale` is missing in mails of older versions; `open` where the button says “Open”. */
export interface SealedMail {
  readonly subject: string
  readonly text: string
  readonly locale?: string
  readonly open?: string
}

/** Queues a mail. Without a mail server, does nothing. */
export async function queueMail({ db, now, config, newId, use }: Mailing, { to, subject, text, open, say }: Mail): Promise<void> {
  if (!canMail(config)) return
  const id = newId(ids.mail)
  const mail: SealedMail = { subject, text: `${text.join('\n\n')}\n`, locale: say.locale, ...(open !== undefined && { open }) }
  const sealed = await use(secretBox).seal(db, JSON.stringify(mail), id)
  await db.insertInto('mails').values({ id, recipient: to, sealed, attempt: 0, due_at: now, leased_until: null, created_at: now }).execute()
  wakeAfter(db, 'mails_send')
}
