/** The pages for signing up. The first one can also be embedded in pages of other sites. */
import { Faults, OperationForm, Username } from '../../../runtime/ui/form.tsx'
import { oneSentence } from '../../../runtime/ui/one-sentence.tsx'
import { type Content, type Looks, type PageContent, page } from '../../../runtime/table/page.ts'
import { MIN_PASSWORD_LENGTH } from '../sign-in/index.ts'
import { sign_ups_confirm, sign_ups_create } from './operations.ts'
import { findSignUp, isOpen } from './records.ts'
import { isCode, referralIn } from './referral.ts'
import { m } from './messages.ts'
import { common } from '../../../runtime/texts/common.ts'
import { type Say, sayParts } from '../../../runtime/texts/say.ts'

const themes = { auto: 'system', light: 'light', dark: 'dark' } as const
const isTheme = (text: string | null): text is keyof typeof themes => text !== null && Object.hasOwn(themes, text)

/** Any page may embed it: the mailed link requires a confirmation on a page of this service. */
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
      title: say(m.sign_up),
      width: 'narrow',
      ...withLooks(looks),
      content: (
        <section class="card" data-signup={refused ? 'refused' : 'ready'}>
          <h1>{say(m.sign_up)}</h1>
          <Faults refused={refused} fields={['email', 'name']} />
          <OperationForm
            of={sign_ups_create}
            hidden={{
              ...(code !== '' && { code, via: given('via') === 'box' ? 'box' : 'link' }),
              ...(looks && { _embed: '1', _theme: given(typed ? '_theme' : 'theme') }),
            }}
            refused={refused}
          >
            {({ field }) => (
              <>
                {field('email', { label: say(common.e_mail_address), type: 'email', autocomplete: 'email', maxlength: 254 })}
                {field('name', { label: say(common.name), autocomplete: 'name', required: false, maxlength: 100 })}
                <button type="submit">{say(common.mail_me_a_link)}</button>
              </>
            )}
          </OperationForm>
          {!looks && (
            <p class="beside">
              {say(m.you_have_an_account)} <a href="/sign-in">{say(common.sign_in)}</a>
            </p>
          )}
        </section>
      ),
    }
  },
})

function closed(looks: Looks | undefined, say: Say): PageContent {
  return {
    title: say(m.sign_up),
    width: 'narrow',
    ...withLooks(looks),
    content: (
      <section class="card" data-signup="closed">
        <h1>{say(m.accounts_are_made_by_invitation)}</h1>
        <p>{say(m.ask_for_an_invitation)}</p>
      </section>
    ),
  }
}

/** Shown after the form was sent, whether or not an account has the address. */
function sentPage(looks: Looks | undefined, say: Say): PageContent {
  return {
    title: say(common.look_into_your_mail),
    width: 'narrow',
    ...withLooks(looks),
    content: (
      <section class="card" data-signup="submitted">
        <h1>{say(common.look_into_your_mail)}</h1>
        <p>{say(m.link_was_mailed)}</p>
      </section>
    ),
  }
}

export const sign_up_confirm = page({
  route: 'GET /sign_ups/{token}',
  summary: 'Create a requested account',
  access: 'optional',
  async show({ path, refused, now, say }, { store }) {
    const token = path.token ?? ''
    const found = await findSignUp(store.read, token, now)
    if (!found) {
      const again = <a href="/sign-up">{say(m.sign_up_again)}</a>
      const sign_in = <a href="/sign-in">{say(m.sign_in)}</a>
      return oneSentence(410, say(common.this_link_has_ended), (<>{sayParts(say, m.used_or_expired, { again, sign_in })}</>) as Content)
    }
    return {
      title: say(common.your_account),
      width: 'narrow',
      content: (
        <section class="card">
          <h1>{say(common.your_account)}</h1>
          <Faults refused={refused} fields={['password', 'workspace']} />
          <OperationForm of={sign_ups_confirm} path={{ token }} refused={refused}>
            {({ field }) => (
              <>
                <Username email={found.email} label={say(common.e_mail_address)} />
                {field('workspace', {
                  label: say(m.name_of_your_workspace),
                  autocomplete: 'organization',
                  help: say(m.workspace_name_help),
                  maxlength: 100,
                })}
                {field('password', {
                  label: say(common.password),
                  type: 'password',
                  autocomplete: 'new-password',
                  help: say(common.at_least_least_characters_a_sentence, { least: MIN_PASSWORD_LENGTH }),
                })}
                <button type="submit">{say(m.make_my_account)}</button>
              </>
            )}
          </OperationForm>
        </section>
      ),
    }
  },
})
