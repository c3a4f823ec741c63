/** The pages of single sign-on: where people begin, and where an administrator tests it. */
import { findSubject } from './page-subject.ts'
import { ButtonForm, Faults, Field, Form } from '../../../runtime/ui/form.tsx'
import { ownPath, page, type PageContent } from '../../../runtime/table/page.ts'
import { activeFor } from './find.ts'
import { isSentByOtherSite } from './other-site.ts'
import { isReason, reasons } from './reasons.ts'
import { addressesOf, statusOf, verifiedDomains } from './records.ts'
import { lacking } from './change.ts'
import { m } from './messages.ts'
import { common } from '../../../runtime/texts/common.ts'
import { fieldTerm, sentenceOf } from '../../../runtime/texts/message.ts'
import type { Say } from '../../../runtime/texts/say.ts'

export const sso_sign_in = page({
  route: 'GET /sign-in/sso',
  summary: 'Sign in with single sign-on',
  access: 'optional',
  async show({ query, say, header }, { store }) {
    const [email, next, error] = [query.get('email'), ownPath(query.get('next')), query.get('error')]
    const found = email === null ? undefined : await activeFor(store.read, email)
    const workspace = query.get('workspace')
    const isSent = isSentByOtherSite({ header })
    if (isSent && workspace !== null) return asking(workspace.slice(0, 64), next, say)
    if (found && error === null && !isSent) {
      return forwarding(`/sso/start?${new URLSearchParams({ workspace: found.workspace_id, ...(next !== undefined && { next }) })}`, say)
    }
    const wrong = isReason(error) ? say(reasons[error]()) : email === null ? undefined : say(m.no_single_sign_on_for_address)
    return {
      title: say(m.sign_in_with_single_sign_on),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say(common.single_sign_on)}</h1>
          {wrong !== undefined && (
            <div class="faults" role="alert">
              <p>{wrong}</p>
            </div>
          )}
          <Form method="GET" action="/sign-in/sso" hidden={{ next }}>
            <Field
              name="email"
              label={say(m.e_mail_address_at_work)}
              type="email"
              autocomplete="username"
              maxlength={254}
              value={email ?? undefined}
              refused={undefined}
            />
            <button type="submit">{say(m.continue)}</button>
          </Form>
          <p class="beside">
            <a href="/sign-in">{say(m.sign_in_with_a_password)}</a>
          </p>
        </section>
      ),
    }
  },
})

/** The page for a browser that a tile of an app portal, or another page with a link to the sign-in, has sent. */
const asking = (workspace: string, next: string | undefined, say: Say): PageContent => ({
  title: say(m.sign_in_with_single_sign_on),
  width: 'narrow',
  content: (
    <section class="card">
      <h1>{say(m.sign_in_with_single_sign_on)}</h1>
      <p>{say(m.sent_by_other_site)}</p>
      <p>
        <a class="button" href={`/sso/start?${new URLSearchParams({ workspace, ...(next !== undefined && { next }) })}`}>
          {say(m.continue)}
        </a>
      </p>
    </section>
  ),
})

/**
 * Goes on by itself, and by a link if that is switched off. Not by a redirect: a form may lead to this page, and
 * browsers hold where a form leads against the policy of the page that has it (CSP 3, `form-action`).
 */
export function forwarding(url: string, say: Say): PageContent {
  const host = URL.canParse(url) ? new URL(url).host : undefined
  return {
    title: say(m.continue),
    width: 'narrow',
    content: (
      <section class="card">
        <meta http-equiv="refresh" content={`0;url=${url}`} />
        <h1>{say(m.on_to_your_identity_provider)}</h1>
        <p>
          <a href={url} rel="noreferrer">
            {host === undefined ? say(m.continue) : say(m.continue_to_host, { host })}
          </a>
        </p>
      </section>
    ),
  }
}

export const sso_test_page = page({
  route: 'GET /workspaces/{workspace_id}/sso/test',
  summary: 'Test single sign-on',
  access: 'session',
  async show({ path, caller, refused, now, say }, { store, config }) {
    const { id, name, sso } = await findSubject(store.read, caller, path.workspace_id ?? '')
    const status = sso ? statusOf(sso, now) : 'draft'
    const [missing, domains] = [sso ? lacking(sso).map(fieldTerm) : [m.a_configuration()], await verifiedDomains(store.read, id)]
    const { acs_url, sp_entity_id, oidc_redirect_uri } = addressesOf(id, config)
    const isReady = missing.length === 0 && status !== 'active'
    return {
      title: say(m.test_single_sign_on),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say(m.test_single_sign_on)}</h1>
          <p>
            {name}: {say(statusWords[status])}
          </p>
          <Faults refused={refused} />
          {sso?.test_error && (
            <div class="faults" role="alert">
              <p>{say(m.last_test_failed)}</p>
              <p>{say(sentenceOf(sso.test_error))}</p>
            </div>
          )}
          {missing.length > 0 && <p>{say(m.missing_fields, { what: missing })}</p>}
          {domains.length === 0 && <p>{say(m.no_e_mail_domain_is_verified)}</p>}
          <dl>
            {sso?.protocol === 'oidc' ? (
              <>
                <dt>{say(m.redirect_uri)}</dt>
                <dd>{oidc_redirect_uri}</dd>
              </>
            ) : (
              <>
                <dt>{say(m.assertion_consumer_service_reply_url)}</dt>
                <dd>{acs_url}</dd>
                <dt>{say(m.entity_id_audience)}</dt>
                <dd>{sp_entity_id}</dd>
              </>
            )}
            <dt>{say(m.verified_domains)}</dt>
            <dd>{domains.join(', ') || say(m.none)}</dd>
          </dl>
          {isReady && <ButtonForm action={`/workspaces/${id}/sso/test`} label={say(m.sign_in_to_test)} />}
        </section>
      ),
    }
  },
})

const statusWords = {
  draft: m.not_tested_yet,
  testing: m.a_test_is_under_way,
  tested: m.test_succeeded,
  active: m.active_deactivate_it_to_test_another,
}
