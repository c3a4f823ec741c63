/**
 * The connection to the mail server of SMTP_URL. The operator chose that server, so the outbound guard does not apply.
 */
import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../../../runtime/settings/config.ts'
import { resource } from '../../../runtime/settings/resource.ts'
import { MAIL_FROM, SMTP_URL } from './settings.ts'

export interface Mailer {
  /** Sends a mail. @returns the addresses that the server refused @throws what nodemailer throws */
  send(mail: SendMailOptions): Promise<{ refused: string[] }>
  close(): void
}

const CONNECT_MS = 10_000
const SILENCE_MS = 15_000
/** Longest time that sending one mail takes, ms, even if the server answers one byte at a time. Leases of mails are longer. */
export const SENDING_MS = 90_000

/** Sending a mail took longer than SENDING_MS. */
export class SlowServer extends Error {}

/** Null if SMTP_URL is not set. */
export const mailer = resource<Mailer | null>({
  name: 'mailer',
  open: ({ config }) => (config.of(SMTP_URL) === '' ? null : openMailer(config)),
  close: async mailer => mailer?.close(),
})

function openMailer(config: Config): Mailer {
  const options = {
    url: config.of(SMTP_URL),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  let opened: ReturnType<typeof openTransport> | undefined
  const openTransport = async () => (await import('nodemailer')).default.createTransport(options)
  const from = config.of(MAIL_FROM) || `Footfall <footfall@${new URL(config.BASE_URL).hostname}>`
  return {
    async send(mail) {
      const { rejected } = await withinTime((await (opened ??= openTransport())).sendMail({ from, ...mail }))
      return { refused: rejected.map(String) }
    },
    close: () => void opened?.then(transport => transport.close()),
  }
}

async function withinTime<T>(sending: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SlowServer('it took too long.')), SENDING_MS)
  })
  try {
    return await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}
