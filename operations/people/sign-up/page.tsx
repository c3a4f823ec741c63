/** The pages on which people sign up; the first one also stands in frames of other sites' pages. */
import { Faults, Field } from '../../../runtime/ui/form.tsx'
import type { Say } from '../../../runtime/texts/index.ts'
import { withParts } from '../../../runtime/texts/with-elements.ts'
import { type Looks, type PageContent, page } from '../../../runtime/table/page.ts'
import { least } from '../sign-in/index.ts'
import { findSignUp, isOpen } from './records.ts'
import { isCode, referralIn } from './referral.ts'

const themes = { auto: 'system', light: 'light', dark: 'dark' } as const
const isTheme = (text: string | null): text is keyof typeof themes => text !== null && Object.hasOwn(themes, text)

/** In a frame it may stand on every page: whoever is mailed there confirms it here. */
function looksOf(values: URLSearchParams, prefix: string): Looks | undefined {
  if (values.get(`${prefix}embed`) !== '1') return undefined
  const theme = values.get(`${prefix}theme`)
  return { theme: themes[isTheme(theme) ? theme : 'auto'], isEmbedded: true, isTransparent: false, ancestors: ['*'], isListed: false }
}
const withLooks = (looks: Looks | undefined) => (looks ? { looks, scripts: ['signup'] } : {})

export const sign_up = page({
  route: 'GET /sign-up',
  summary: 'Sign up',
  access: 'optional',
  async show({ query, refused, now, header, say }, { config }) {
    const typed = refused?.values
    const looks = typed ? looksOf(typed, '_') : looksOf(query, '')
    const given = (name: string): string => (typed ? typed.get(name) : query.get(name)) ?? ''
    const asked = given('code')
    const code = isCode(asked) ? asked : (referralIn({ header }, now, config.BASE_URL) ?? '')
    if (!isOpen(config)) return closed(looks, say)
    if (!typed && query.has('sent')) return sentPage(looks, say)
    return {
      title: say('Sign up'),
      width: 'narrow',
      ...withLooks(looks),
      content: (
        <section class="card" data-signup={refused ? 'refused' : 'ready'}>
          <h1>{say('Sign up')}</h1>
          <Faults refused={refused} fields={['email', 'name']} />
          <form method="post" action="/sign_ups">
            {code !== '' && <input type="hidden" name="code" value={code} />}
            {code !== '' && <input type="hidden" name="via" value={given('via') === 'box' ? 'box' : 'link'} />}
            {looks && <input type="hidden" name="_embed" value="1" />}
            {looks && <input type="hidden" name="_theme" value={given(typed ? '_theme' : 'theme')} />}
            <Field name="email" label={say('E-mail address')} type="email" autocomplete="email" maxlength={254} refused={refused} />
            <Field name="name" label={say('Name')} autocomplete="name" required={false} maxlength={100} refused={refused} />
            <button type="submit">{say('Mail me a link')}</button>
          </form>
          {!looks && (
            <p class="beside">
              {say('You have an account?')} <a href="/sign-in">{say('Sign in')}</a>
            </p>
          )}
        </section>
      ),
    }
  },
})

function closed(looks: Looks | undefined, say: Say): PageContent {
  return {
    title: say('Sign up'),
    width: 'narrow',
    ...withLooks(looks),
    content: (
      <section class="card" data-signup="closed">
        <h1>{say('Accounts are made by invitation')}</h1>
        <p>{say('Ask a person who has an account here to invite you.')}</p>
      </section>
    ),
  }
}

/** Said once the form was sent, whoever has the address. */
function sentPage(looks: Looks | undefined, say: Say): PageContent {
  return {
    title: say('Look into your mail'),
    width: 'narrow',
    ...withLooks(looks),
    content: (
      <section class="card" data-signup="submitted">
        <h1>{say('Look into your mail')}</h1>
        <p>{say('A link is on its way to the address that you entered. Open it within three days, and the account is yours.')}</p>
      </section>
    ),
  }
}

/** Where a browser goes on to: loaded again, it asks for nothing. */
export function afterSignUp(typed: URLSearchParams): string {
  const isEmbedded = typed.get('_embed') === '1'
  return `/sign-up?${new URLSearchParams({ sent: '1', ...(isEmbedded && { embed: '1', theme: typed.get('_theme') ?? '' }) })}`
}

export const sign_up_confirm = page({
  route: 'GET /sign_ups/{token}',
  summary: 'Make the account that was asked for',
  access: 'optional',
  async show({ path, refused, now, say }, { store }) {
    const token = path.token ?? ''
    const found = await findSignUp(store.read, token, now)
    if (!found) {
      return {
        title: say('This link has ended'),
        status: 410,
        width: 'narrow',
        content: (
          <section class="card">
            <h1>{say('This link has ended')}</h1>
            <p>
              {withParts(say('It was used, or its time is over. {again}, or {sign_in}.'), {
                again: <a href="/sign-up">{say('Sign up again')}</a>,
                sign_in: <a href="/sign-in">{say('sign in')}</a>,
              })}
            </p>
          </section>
        ),
      }
    }
    return {
      title: say('Your account'),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say('Your account')}</h1>
          <Faults refused={refused} fields={['password', 'workspace']} />
          <form method="post" action={`/sign_ups/${encodeURIComponent(token)}`}>
            <Field
              name="_username"
              label={say('E-mail address')}
              autocomplete="username"
              value={found.email}
              readonly
              refused={undefined}
            />
            <Field
              name="workspace"
              label={say('Name of your workspace')}
              autocomplete="organization"
              help={say('Of your company or project: your sites and colleagues are in it.')}
              maxlength={100}
              refused={refused}
            />
            <Field
              name="password"
              label={say('Password')}
              type="password"
              autocomplete="new-password"
              help={say('At least {least} characters. A sentence is easy to remember and hard to guess.', { least })}
              refused={refused}
            />
            <button type="submit">{say('Make my account')}</button>
          </form>
        </section>
      ),
    }
  },
})
