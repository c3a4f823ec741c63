/** The content of the account page: name, address, sign-in factors, sessions. Loaded with its first request. */
import { LRUCache } from 'lru-cache'
import { ButtonForm, Faults, Field, Form, OperationForm } from '../../../../runtime/ui/form.tsx'
import type { CallingServices } from '../../../../runtime/table/services.ts'
import type { PageContent, PageRequest, Refused } from '../../../../runtime/table/page.ts'
import type { Static } from '../../../../runtime/table/schema.ts'
import { account_delete, account_update } from '../../account/index.ts'
import type { Account } from '../../account/records.ts'
import { canMail } from '../../mail/index.ts'
import type { Membership } from '../../members/records.ts'
import type { Passkey } from '../../passkeys/records.ts'
import type { Session } from '../../sessions/records.ts'
import { recoveryCodes } from '../../two-factor/index.ts'
import type { TwoFactor } from '../../two-factor/records.ts'
import { browserOf } from '../../sessions/index.ts'
import { passwords_update } from '../operations.ts'
import { MIN_PASSWORD_LENGTH } from '../password.ts'
import { Looks } from './appearance.tsx'
import { passkeyTrouble } from './passkey-trouble.ts'
import { common } from '../../../../runtime/texts/common.ts'
import { m } from '../messages.ts'
import { type Say, sayParts } from '../../../../runtime/texts/say.ts'
import { valueTerm } from '../../../../runtime/texts/message.ts'

export async function accountContent(
  { read, refused, caller, say, asksPassword }: PageRequest,
  { config }: CallingServices,
): Promise<PageContent> {
  const of = (...operations: string[]) => (refused && operations.includes(refused.operation) ? refused : undefined)
  const [person, memberships, sessions] = (await Promise.all([
    read('account_get'),
    read('memberships_list', first),
    read('sessions_list', first),
  ])) as [Person, readonly Member[], readonly SignedIn[]] // as they are declared
  const isOwn = !caller?.withoutAccount
  const isAsked = isOwn && (await asksPassword())
  const passkeys = isOwn && person.passkeys > 0 ? ((await read('passkeys_list', first)) as readonly Key[]) : []
  const twoFactor = isOwn && person.two_factor ? ((await read('two_factor_get')) as SecondFactor) : undefined
  return {
    title: say(common.your_account),
    scripts: ['passkeys'],
    content: (
      <>
        <h1>{say(common.your_account)}</h1>
        <section class="card" aria-labelledby="person">
          <h2 id="person">{say(m.you)}</h2>
          <Faults
            refused={of('account_update', 'account_email_resend', 'account_email_cancel')}
            fields={['name', 'email', 'current_password']}
          />
          {person.unconfirmed_email !== null && (
            <div class="notice">
              <p>
                {say(m.address_awaits_confirmation, {
                  new: person.unconfirmed_email,
                  old: person.email,
                })}
              </p>
              {isOwn && (
                <div class="acts">
                  <ButtonForm action="/account/email/resend" label={say(m.mail_the_link_again)} />
                  <ButtonForm action="/account/email" method="DELETE" label={say(m.cancel_the_change)} />
                </div>
              )}
            </div>
          )}
          {person.email_verified_at === null && (
            <div class="notice">
              <p>
                {say(m.nothing_proves_yet_that_email_is, {
                  email: person.email,
                })}
              </p>
              <Faults refused={of('account_email_verify')} />
              {isOwn && canMail(config) && <ButtonForm action="/account/email/verify" label={say(common.mail_me_a_link)} />}
            </div>
          )}
          <OperationForm of={account_update} refused={of('account_update')}>
            {({ field, drawnFrom }) => (
              <>
                {drawnFrom(person, ['name', 'email'])}
                {field('name', {
                  label: say(common.name),
                  autocomplete: 'name',
                  required: false,
                  value: person.name ?? '',
                  maxlength: 100,
                })}
                {isOwn &&
                  field('email', {
                    label: say(common.e_mail_address),
                    type: 'email',
                    autocomplete: 'email',
                    value: person.email,
                    maxlength: 254,
                  })}
                {isAsked && (
                  <CurrentPassword at="you" refused={of('account_update')} help={say(m.asked_for_another_address)} isOptional say={say} />
                )}
                <button type="submit">{say(m.save)}</button>
              </>
            )}
          </OperationForm>
        </section>
        <Looks person={person} refused={of('account_update')} say={say} />
        {isOwn ? (
          <Password refused={of('passwords_update')} person={person} isAsked={isAsked} say={say} />
        ) : (
          <BySso email={person.email} say={say} />
        )}
        <Workspaces
          memberships={memberships}
          hasFactor={person.two_factor || passkeys.length > 0}
          refused={of('members_leave')}
          say={say}
        />
        {isOwn && (
          <Factors
            passkeys={passkeys}
            person={person}
            twoFactor={twoFactor}
            refused={of('two_factor_setup', 'two_factor_disable', 'two_factor_codes', 'passkeys_delete')}
            isAsked={isAsked}
            say={say}
          />
        )}
        <Sessions sessions={sessions} person={person} say={say} />
        {isOwn && (
          <section class="card" aria-labelledby="delete">
            <h2 id="delete">{say(m.delete_the_account)}</h2>
            <Faults refused={of('account_delete')} fields={['confirm']} />
            <p class="help">{say(m.deletes_memberships_and_tokens)}</p>
            <OperationForm of={account_delete} refused={of('account_delete')}>
              {({ field }) => (
                <>
                  {field('confirm', { label: say(m.type_text_to_confirm, { text: person.email }), autocomplete: 'off', maxlength: 254 })}
                  <button type="submit" class="danger">
                    {say(m.delete_my_account)}
                  </button>
                </>
              )}
            </OperationForm>
          </section>
        )}
      </>
    ),
  }
}

type Person = Static<typeof Account>
type Member = Static<typeof Membership>
type SignedIn = Static<typeof Session>
type Key = Static<typeof Passkey>
type SecondFactor = Static<typeof TwoFactor>
/** Only tests have more. */
const first = { per_page: 100 }

/** Why a member sees nothing of their workspace, and what lets them in. */
function Closed({ workspace_id, state, hasFactor, say }: Member & { hasFactor: boolean; say: Say }) {
  if (state === 'deactivated') return <p class="bad">{say(m.you_were_deactivated_here)}</p>
  if (state === 'unverified') return <p class="bad">{say(m.an_identity_provider_added_you_prove)}</p>
  if (state === 'single_sign_on')
    return (
      <p class="bad">
        {sayParts(say, m.opens_only_with_single_sign_on, {
          link: <a href={`/sso/start?${new URLSearchParams({ workspace: workspace_id })}`}>{say(m.continue_with_your_company)}</a>,
        })}
      </p>
    )
  return hasFactor ? (
    <p class="bad">
      {sayParts(say, m.requires_a_second_factor, {
        link: <a href="/sign-in?again=1&next=%2Faccount">{say(m.sign_in_with_a_passkey_or)}</a>,
      })}
    </p>
  ) : (
    <p class="bad">{say(m.requires_a_second_factor_below)}</p>
  )
}

/** Says what a session of single sign-on does not open: the account, and other workspaces. */
function BySso({ email, say }: { email: string; say: Say }) {
  return (
    <section class="card" aria-labelledby="by-sso">
      <h2 id="by-sso">{say(m.signed_in_by_single_sign_on)}</h2>
      <p>
        {sayParts(say, m.you_are_signed_in_as_email, {
          email,
          link: <a href="/sign-in?again=1&next=%2Faccount">{say(m.sign_in_with_a_password_or)}</a>,
        })}
      </p>
    </section>
  )
}

interface Listed {
  readonly memberships: readonly Member[]
  readonly hasFactor: boolean
  readonly refused: Refused | undefined
  readonly say: Say
}

function Workspaces({ memberships, hasFactor, refused, say }: Listed) {
  return (
    <section class="card" aria-labelledby="workspaces">
      <h2 id="workspaces">{say(m.workspaces)}</h2>
      <Faults refused={refused} />
      {memberships.length === 0 && <p class="help">{say(m.you_are_a_member_of_none)}</p>}
      <ul class="rows">
        {memberships.map(each => (
          <li>
            <div>
              <b>{each.workspace_name}</b>
              <p class="help">
                {say(valueTerm(each.role))}
                {each.state === 'open' && (
                  <>
                    {' · '}
                    <a href={`/workspaces/${each.workspace_id}/connected_clients`}>{say(m.connected_clients)}</a>
                    {each.role === 'owner' && (
                      <>
                        {' · '}
                        <a href={`/workspaces/${each.workspace_id}/sso/link`}>{say(common.single_sign_on)}</a>
                      </>
                    )}
                  </>
                )}
              </p>
              {each.state !== 'open' && <Closed {...each} hasFactor={hasFactor} say={say} />}
            </div>
            {each.state === 'open' && <ButtonForm action={`/workspaces/${each.workspace_id}/leave`} label={say(m.leave)} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CurrentPasswordProps {
  /** The section, because the page has the field several times. */
  readonly at: string
  readonly refused: Refused | undefined
  readonly help?: string
  readonly isOptional?: true
  readonly say: Say
}

/** The field that each change of a sign-in factor needs. */
const CurrentPassword = ({ at, refused, help, isOptional, say }: CurrentPasswordProps) => (
  <Field
    id={`${at}-current-password`}
    name="current_password"
    label={say(common.current_password)}
    type="password"
    autocomplete="current-password"
    maxlength={200}
    required={!isOptional}
    refused={refused}
    {...(help !== undefined && { help })}
  />
)

interface PasswordProps {
  readonly refused: Refused | undefined
  readonly person: Person
  readonly isAsked: boolean
  readonly say: Say
}

function Password({ refused, person, isAsked, say }: PasswordProps) {
  return (
    <section class="card" aria-labelledby="password-title">
      <h2 id="password-title">{say(common.password)}</h2>
      <Faults refused={refused} fields={['password', 'current_password']} />
      <OperationForm of={passwords_update} refused={refused}>
        {({ field }) => (
          <>
            <input type="hidden" name="_username" autocomplete="username" value={person.email} />
            {isAsked && <CurrentPassword at="password" refused={refused} say={say} />}
            {field('password', {
              label: say(m.new_password),
              type: 'password',
              autocomplete: 'new-password',
              help: say(m.at_least_least_characters_all_other, { least: MIN_PASSWORD_LENGTH }),
            })}
            <button type="submit">{say(m.change_it)}</button>
          </>
        )}
      </OperationForm>
      {isAsked && (
        <p class="beside">
          {person.passkeys > 0 ? (
            <a href="/sign-in?again=1&next=%2Faccount">{say(m.forgot_your_password_use_a_passkey)}</a>
          ) : (
            <a href="/password/forgot">{say(m.forgot_your_password)}</a>
          )}
        </p>
      )}
    </section>
  )
}

interface FactorsProps {
  readonly passkeys: readonly Key[]
  readonly person: Person
  /** Undefined if there is none. */
  readonly twoFactor: SecondFactor | undefined
  readonly refused: Refused | undefined
  readonly isAsked: boolean
  readonly say: Say
}

/** One password for all of its buttons. Enter in its field presses none of them, because the first button is disabled. */
function Factors({ passkeys, person, twoFactor, refused, isAsked, say }: FactorsProps) {
  return (
    <section class="card" aria-labelledby="factors">
      <h2 id="factors">{say(m.second_factor_and_passkeys)}</h2>
      <Faults refused={refused} fields={isAsked ? ['current_password'] : []} />
      <Form action="/account/two_factor">
        <button type="submit" disabled hidden />
        {isAsked && <CurrentPassword at="factors" refused={refused} help={say(m.asked_for_each_change)} say={say} />}
        <ul class="rows">
          <li>
            <div>
              <b>{say(m.codes_of_an_app)}</b> {twoFactor && <span class="tag">{say(m.on)}</span>}
              <p class="help">{say(twoFactor ? m.sign_in_asks_for_a_code : m.codes_will_be_asked)}</p>
              {twoFactor && <CodesLeft {...twoFactor} say={say} />}
            </div>
            {twoFactor ? (
              <>
                <Change to="/account/two_factor/codes" label={say(m.new_recovery_codes)} />
                <Change to="/account/two_factor?_method=DELETE" label={say(m.turn_off)} isDanger />
              </>
            ) : (
              <Change to="/account/two_factor" label={say(m.set_up)} />
            )}
          </li>
          {passkeys.map(({ id, name, created_at, last_used_at }) => (
            <li>
              <div>
                <b>{name}</b> <span class="tag">{say(m.passkey)}</span>
                <p class="help">
                  {last_used_at === null
                    ? sayParts(say, m.made_at, { at: <Time at={created_at} person={person} /> })
                    : sayParts(say, m.made_at_last_used_used, {
                        at: <Time at={created_at} person={person} />,
                        used: <Time at={last_used_at} person={person} />,
                      })}
                </p>
              </div>
              <Change to={`/account/passkeys/${id}?_method=DELETE`} label={say(m.delete)} isDanger />
            </li>
          ))}
        </ul>
        <div data-passkey="create" data-next="/account" {...passkeyTrouble(say)} hidden>
          <button type="button" class="plain">
            {say(m.add_a_passkey)}
          </button>
          <p class="fault" role="alert" hidden />
        </div>
      </Form>
      <noscript>
        <p class="help">{say(m.passkeys_need_scripts)}</p>
      </noscript>
    </section>
  )
}

const Change = ({ to, label, isDanger }: { to: string; label: string; isDanger?: true }) => (
  <button type="submit" formaction={to} class={isDanger ? 'danger' : 'plain'}>
    {label}
  </button>
)

/** How many recovery codes there are, and why to make new ones. */
function CodesLeft({ recovery_codes_left: left, recovery_codes_outdated: isOutdated, say }: SecondFactor & { say: Say }) {
  return (
    <p class={left < 3 ? 'bad' : 'help'}>
      {say(m.recovery_codes_left_left_of_all, { left: String(left), all: String(recoveryCodes) })}{' '}
      {left < 3 || isOutdated ? say(isOutdated ? m.they_are_from_an_older_version : m.create_new_codes) : null}
    </p>
  )
}

interface SessionsProps {
  readonly sessions: readonly SignedIn[]
  readonly person: Person
  readonly say: Say
}

function Sessions({ sessions, person, say }: SessionsProps) {
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">{say(m.sessions)}</h2>
      <ul class="rows">
        {sessions.map(({ id, user_agent, current, ip, started_at, last_used_at, ends_at }) => (
          <li>
            <div>
              <b>{browserOf(user_agent, say)}</b> {current && <span class="tag">{say(m.this_browser)}</span>}
              <p class="help">
                {sayParts(say, m.signed_in_at_from_ip, { at: <Time at={started_at} person={person} />, ip })}
                <br />
                {sayParts(say, m.last_used_at_ends_end_at, {
                  at: <Time at={last_used_at} person={person} />,
                  end: <Time at={ends_at} person={person} />,
                })}
              </p>
            </div>
            <ButtonForm action={`/account/sessions/${id}`} method="DELETE" label={say(m.sign_out)} />
          </li>
        ))}
      </ul>
      {sessions.length > 1 && <ButtonForm action="/account/sessions" method="DELETE" label={say(m.sign_out_all_others)} danger />}
    </section>
  )
}

/** A time in the language and the time zone of a person. Without a time zone, it is in UTC, which it then names. */
function Time({ at, person }: { at: string; person: Person }) {
  const shown = timesIn(person.locale, person.timezone ?? 'UTC').format(Date.parse(at))
  return <time datetime={at}>{person.timezone === null ? `${shown} UTC` : shown}</time>
}

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })
/** Caches the formats, because making one takes as long as a quarter of the page. */
function timesIn(locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  formats.set(key, format)
  return format
}
