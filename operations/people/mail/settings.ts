import { setting } from '../../../runtime/settings/setting.ts'

export const SMTP_URL = setting({
  default: '',
  description:
    'Mail server for reports, notifications, invitations and links to a new password, `smtps://user:password@host`; default: no e-mail is sent',
  parse: text => (text === '' || (/^smtps?:\/\/[^/?#]+/.test(text) && URL.canParse(text)) ? text : undefined),
  wants: '"smtp://…" or "smtps://…"',
})
export const MAIL_FROM = setting({
  default: '',
  description: 'Sender of e-mails, `Name <mailbox@host>`; default `Footfall <footfall@…>` at the host of BASE_URL',
  parse: text => (text === '' || /^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(text) ? text : undefined),
  wants: 'an e-mail address, or a name and <address>',
})
