/** The pages of single sign-on: where people begin, and where an administrator tests it. */
import { findSubject } from './page-subject.ts'
import { ButtonForm, Faults } from '../../../runtime/ui/form.tsx'
import { phrases, type Say } from '../../../runtime/texts/index.ts'
import { ownPath, page, type PageContent } from '../../../runtime/table/page.ts'
import { activeFor } from './find.ts'
import { isReason, reasons } from './reasons.ts'
import { addressesOf, statusOf, verifiedDomains } from './records.ts'
import { lacking } from './change.ts'

export const sso_sign_in = page({
  route: 'GET /sign-in/sso',
  summary: 'Sign in with single sign-on',
  access: 'optional',
  async show({ query, say }, { store }) {
    const [email, next, error] = [query.get('email'), ownPath(query.get('next')), query.get('error')]
    const found = email === null ? undefined : await activeFor(store.read, email)
    if (found && error === null) {
      return forwarding(`/sso/start?${new URLSearchParams({ workspace: found.workspace_id, ...(next !== undefined && { next }) })}`, say)
    }
    const wrong = isReason(error)
      ? say(reasons[error])
      : email === null
        ? undefined
        : say('No workspace here signs people with this address in by single sign-on.')
    return {
      title: say('Sign in with single sign-on'),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say('Single sign-on')}</h1>
          {wrong !== undefined && (
            <div class="faults" role="alert">
              <p>{wrong}</p>
            </div>
          )}
          <form method="get" action="/sign-in/sso">
            {next !== undefined && <input type="hidden" name="next" value={next} />}
            <p class="field">
              <label for="email">{say('E-mail address at work')}</label>
              <input id="email" name="email" type="email" autocomplete="username" required maxlength={254} value={email ?? undefined} />
            </p>
            <button type="submit">{say('Continue')}</button>
          </form>
          <p class="beside">
            <a href="/sign-in">{say('Sign in with a password')}</a>
          </p>
        </section>
      ),
    }
  },
})

/**
 * Goes on by itself, and by a link where that is switched off. Not by a redirect: a form may lead to this page, and
 * browsers hold where a form leads against the policy of the page that has it (CSP 3, `form-action`).
 */
export function forwarding(url: string, say: Say): PageContent {
  const host = URL.canParse(url) ? new URL(url).host : undefined
  return {
    title: say('Continue'),
    width: 'narrow',
    content: (
      <section class="card">
        <meta http-equiv="refresh" content={`0;url=${url}`} />
        <h1>{say('On to your identity provider')}</h1>
        <p>
          <a href={url} rel="noreferrer">
            {host === undefined ? say('Continue') : say('Continue to {host}', { host })}
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
    const [missing, domains] = [sso ? lacking(sso) : ['a configuration'], await verifiedDomains(store.read, id)]
    const { acs_url, sp_entity_id, oidc_redirect_uri } = addressesOf(id, config)
    const isReady = missing.length === 0 && status !== 'active'
    return {
      title: say('Test single sign-on'),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say('Test single sign-on')}</h1>
          <p>
            {name}: {say(said[status])}
          </p>
          <Faults refused={refused} />
          {sso?.test_error && (
            <div class="faults" role="alert">
              <p>{say('The last test did not go well.')}</p>
              <p>{sso.test_error}</p>
            </div>
          )}
          {missing.length > 0 && <p>{say('Still to be entered: {what}.', { what: missing.map(each => say(each)).join(', ') })}</p>}
          {domains.length === 0 && <p>{say('No e-mail domain is verified yet, so no member could sign in.')}</p>}
          <dl>
            {sso?.protocol === 'oidc' ? (
              <>
                <dt>{say('Redirect URI')}</dt>
                <dd>{oidc_redirect_uri}</dd>
              </>
            ) : (
              <>
                <dt>{say('Assertion consumer service, reply URL')}</dt>
                <dd>{acs_url}</dd>
                <dt>{say('Entity id, audience')}</dt>
                <dd>{sp_entity_id}</dd>
              </>
            )}
            <dt>{say('Verified domains')}</dt>
            <dd>{domains.join(', ') || say('none')}</dd>
          </dl>
          {isReady && <ButtonForm action={`/workspaces/${id}/sso/test`} label={say('Sign in to test')} />}
        </section>
      ),
    }
  },
})

const said = phrases({
  draft: 'not tested yet.',
  testing: 'a test is under way.',
  tested: 'the test went well. It can be activated now.',
  active: 'active. Deactivate it to test another configuration.',
})
