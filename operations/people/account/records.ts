/** The caller's account: one person, who is a member of one or more workspaces. */
import { Type } from '@sinclair/typebox'
import { among, DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import type { AccountRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'

export const ids = { account: idKind('acc_') }

const themes = ['system', 'light', 'dark'] as const
const landings = ['sites', 'last_site'] as const
const locales = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'no', 'fi', 'ja', 'ko', 'zh-CN', 'zh-TW'] as const

/** Chooses the language of a new account. @param header `Accept-Language` of the browser that creates it */
export function localeBy(header: string | undefined): string {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map(part => part.split(';')[0]?.trim().toLowerCase() ?? '')
  const found = wanted.map(tag => locales.find(each => each.toLowerCase() === tag) ?? locales.find(each => each === tag.slice(0, 2)))
  return found.find(each => each !== undefined) ?? 'en'
}

/** Settings whose values are stored as they are. */
export const choices = {
  theme: OneOf(themes, { description: 'Colours of the app.' }),
  default_landing: OneOf(landings, { description: 'Page that the app opens with.' }),
  locale: OneOf(locales, {
    description: 'Language of the signed-in app. Does not affect public pages and the API.',
  }),
  shortcuts_enabled: Type.Boolean({ description: 'Whether keyboard shortcuts work.' }),
  reduce_motion: Type.Boolean({ description: 'Whether the app leaves out animation.' }),
  product_emails: Type.Boolean({
    description: 'Whether to send product e-mails, for example that an import or export has finished, or that one of your reports failed.',
  }),
  newsletter: Type.Boolean({ description: 'Whether to send the newsletter.' }),
}

export const Account = record(
  'Account',
  {
    email: Type.String({ description: 'Confirmed e-mail address of the account.' }),
    email_verified_at: Nullable(DateTime(), {
      description:
        'When the holder of the address proved it. Null: not yet, so the account receives nothing that is meant for that holder.',
    }),
    unconfirmed_email: Nullable(Type.String(), { description: 'New address that waits for its confirmation.' }),
    name: Nullable(Type.String(), { description: 'Display name of the member. Null: the e-mail address is shown instead.' }),
    ...choices,
    timezone: Nullable(Type.String(), { description: 'IANA time zone in which the app shows times.' }),
    marketing_emails: Type.Boolean({ description: 'False after an unsubscribe.' }),
    two_factor: Type.Boolean({ description: 'Whether sign-in asks for a second factor.' }),
    passkeys: Type.Integer({ unit: 'count', description: 'Number of passkeys.' }),
    created_at: DateTime({ description: 'When the account was created.' }),
  },
  'The account of the member who owns the token.',
)

export function toAccount(row: AccountRow): Static<typeof Account> {
  return {
    email: row.email,
    email_verified_at: iso(row.email_verified_at),
    unconfirmed_email: row.unconfirmed_email,
    name: row.name,
    theme: among(themes, row.theme),
    default_landing: among(landings, row.default_landing),
    locale: among(locales, row.locale),
    shortcuts_enabled: row.shortcuts_enabled === 1,
    reduce_motion: row.reduce_motion === 1,
    product_emails: row.product_emails === 1,
    newsletter: row.newsletter === 1,
    timezone: row.timezone,
    marketing_emails: row.marketing_emails === 1,
    two_factor: row.two_factor === 1,
    passkeys: row.passkeys,
    created_at: iso(row.created_at),
  }
}
