/**
 * Unsubscribing from the mails of a report, and subscribing again. Opening the link shows a button and changes nothing,
 * because mail scanners open links. The button ends the mails, or the mail program with one click (RFC 8058).
 */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { page } from '../../../runtime/table/page.ts'
import { Form } from '../../../runtime/ui/form.tsx'
import { oneSentence } from '../../../runtime/ui/one-sentence.tsx'
import type { Db } from '../../../storage/store.ts'
import { m } from './messages.ts'
import { common } from '../../../runtime/texts/common.ts'
import { readerBy } from '../../../runtime/texts/reader.ts'
import { sayIn } from '../../../runtime/texts/say.ts'

const PATH = '/email/unsubscribe'

export const unsubscribeUrl = (baseUrl: string, secret: string): string => `${baseUrl}${PATH}?token=${secret}`

/** Finds the recipient and report of this secret. Undefined if it is unknown, deleted or removed. */
async function findRecipient(db: Db, secret: string) {
  if (!/^[\w-]{43}$/.test(secret)) return undefined
  return db
    .selectFrom('email_report_recipients as p')
    .innerJoin('email_reports as r', 'r.id', 'p.report_id')
    .select(['p.report_id', 'p.email', 'p.unsubscribed_at', 'r.name', 'r.locale'])
    .where('p.token_hash', '=', hashCredential(secret))
    .executeTakeFirst()
}

export const email_unsubscribe_page = page({
  route: `GET ${PATH}`,
  summary: 'Unsubscribe from an e-mail report',
  access: 'public',
  async show({ query, header }, { store }) {
    const secret = query.get('token') ?? ''
    const found = await findRecipient(store.read, secret)
    if (!found) {
      const say = await sayIn(readerBy(header('accept-language')).locale)
      return { ...oneSentence(404, say(m.link_does_not_work), say(m.no_longer_subscribed)), language: say.locale }
    }
    const { name, email, unsubscribed_at } = found
    const say = await sayIn(found.locale)
    const isEnded = unsubscribed_at !== null
    const title = isEnded ? say(m.you_have_unsubscribed) : say(m.e_mail_report)
    return {
      title,
      language: say.locale,
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{title}</h1>
          <p>{isEnded ? say(m.name_is_not_mailed_to_email, { name, email }) : say(m.name_is_mailed_to_email, { name, email })}</p>
          <Form action={`${PATH}?token=${secret}`} hidden={{ do: isEnded ? 'subscribe' : 'unsubscribe' }}>
            <button type="submit" class={isEnded ? 'plain' : undefined}>
              {isEnded ? say(m.subscribe_again) : say(common.unsubscribe)}
            </button>
          </Form>
        </section>
      ),
    }
  },
})

/** A mail program posts `List-Unsubscribe=One-Click` and follows no redirect. A person sees the page again. */
export const email_unsubscribe = endpoint({
  route: `POST ${PATH}`,
  summary: 'Unsubscribes the recipient of an e-mail report, by the link of a mail',
  access: 'public',
  maxBytes: 10_000,
  async handle({ url, text }, { store, now }) {
    const secret = new URL(url).searchParams.get('token') ?? ''
    const form = new URLSearchParams(await text())
    const isBack = form.get('do') === 'subscribe'
    const found = await findRecipient(store.read, secret)
    if (!found) fail('not_found')
    if (isBack !== (found.unsubscribed_at === null)) {
      await store.write
        .updateTable('email_report_recipients')
        .set({ unsubscribed_at: isBack ? null : now() })
        .where('token_hash', '=', hashCredential(secret))
        .execute()
    }
    const headers = { 'Cache-Control': 'no-store' }
    if (form.has('do')) return { status: 303, headers: { ...headers, Location: `${PATH}?token=${secret}` } }
    return { status: 200, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: 'Unsubscribed.\n' }
  },
})
