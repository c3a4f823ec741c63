/** Signing up: a person requests an account, and opens the link that is mailed to them. */
import { Type } from '@sinclair/typebox'
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { Name, Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import type { SignUpRow } from '../../../storage/tables/sign-up.ts'
import { addAccount, claimAccount, findAccount, isVerified, localeBy } from '../account/index.ts'
import { queueMail, sayTo } from '../mail/index.ts'
import { startSession } from '../sessions/index.ts'
import { hashPassword, keepPassword, namesAbout, newPassword, passwordFaults } from '../sign-in/index.ts'
import { createWorkspace } from '../workspace-creation/index.ts'
import { toWorkspace, Workspace, workspaceName } from '../workspaces/records.ts'
import { signed_up } from './hooks.ts'
import { afterSignUp } from './after-sign-up.ts'
import { demandOpen, findSignUp, goodMs, ids } from './records.ts'
import { referralIn } from './referral.ts'
import { m } from './messages.ts'
import { common } from '../../../runtime/texts/common.ts'
import { readerBy } from '../../../runtime/texts/reader.ts'

/** Shortest time between two mails to a person, ms. */
const pauseMs = 10 * 60_000
const linkEnded = m.link_ended()

const SignUp = record(
  'SignUp',
  {
    email: Type.String({ description: 'Address that the link was mailed to.' }),
    name: Nullable(Type.String(), { description: 'Name of the person.' }),
  },
  'A requested account.',
)

export const sign_ups_create = operation({
  route: 'POST /sign_ups',
  summary: 'Sign up: request an account',
  description:
    'Mails a link to the address, valid for three days. The response is the same if an account already has the address. Needs `SIGN_UP=open`.',
  access: 'public',
  surfaces: ['http'],
  rate: 'costly',
  effect: 'create',
  input: {
    email: Type.String({ format: 'email', description: 'Address of the person.' }),
    name: optional(Name({ minLength: 0, maxLength: 100, description: 'Name of the person.' })),
    code: optional(
      Type.String({
        pattern: '^([a-z0-9]{6,20})?$',
        maxLength: 20,
        description: 'Referral code of the affiliate who referred the person.',
      }),
    ),
    via: optional(OneOf(['link', 'box'], { description: 'How the code arrived: with a link, or from the sign-up box on another site.' })),
  },
  output: SignUp,
  form: { page: 'GET /sign-up', after: (_, typed) => afterSignUp(typed) },
  examples: [{ input: { email: 'grace@example.com', name: 'Grace' } }],
  async run({ input, ...services }) {
    const { db, config, now, newId, random, request } = services
    demandOpen(config)
    const email = canonicalEmail(input.email)
    const asked = { email, name: input.name || null }
    const before = await db.selectFrom('sign_ups').selectAll().where('email', '=', email).executeTakeFirst()
    if (before && before.created_at > now - pauseMs) return asked
    const account = await findAccount(db, email)
    const isKnown = account !== undefined && isVerified(account)
    const secret = random(32).toString('base64url')
    const code = isKnown ? null : input.code || referralIn(request, now, config.BASE_URL) || before?.code || null
    // Also stored if the address has an account, without mailing the sign-up link: the work and the pause must be the same.
    const row: SignUpRow = {
      id: newId(ids.sign_up),
      email,
      name: asked.name,
      hash: hashCredential(secret),
      code,
      via: code === null ? null : (input.via ?? 'link'),
      created_at: now,
      expires_at: now + goodMs,
    }
    await db
      .insertInto('sign_ups')
      .values(row)
      .onConflict(on => on.column('email').doUpdateSet(row))
      .execute()
    const say = await sayTo(db, email, readerBy(request.header('accept-language')).locale)
    const address = config.BASE_URL
    const mail = isKnown
      ? {
          subject: say(m.you_have_an_account_already),
          open: say(common.sign_in),
          text: [say(m.somebody_probably_you_asked_for_an, { address }), `${address}/sign-in`],
        }
      : {
          subject: say(common.confirm_your_address),
          open: say(common.confirm),
          text: [
            say(m.somebody_probably_you_asked_for_an_2, { address }),
            `${address}/sign_ups/${secret}`,
            ...(account ? [say(m.there_is_an_account_with_this)] : []),
            say(m.if_that_was_not_you_there),
          ],
        }
    await queueMail(services, { to: email, say, ...mail })
    return asked
  },
})

export const sign_ups_confirm = operation({
  route: 'POST /sign_ups/{token}',
  summary: 'Create a requested account',
  description: 'Creates the account, and a workspace that it owns, and signs in.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'create',
  path: { token: Type.String({ maxLength: 64, description: 'The last path segment of the link.' }) },
  input: { password: newPassword, workspace: workspaceName },
  output: Workspace,
  secrets: ['token', 'password'],
  form: { page: 'GET /sign_ups/{token}', after: () => '/' },
  examples: [{ input: { token: '{{sign_up_link}}', password: 'correct horse battery', workspace: 'Acme' } }],
  async prepare({ store, config, input, now }) {
    const found = (await findSignUp(store.read, input.token, now)) ?? fail('invalid_state', linkEnded)
    const names = await namesAbout({ db: store.read, config, also: [found.email, found.name, input.workspace] })
    failWith(await passwordFaults(input.password, names))
    return { found, hashed: await hashPassword(input.password) }
  },
  async run({ found, hashed, input, ...services }) {
    const { db, now, emit } = services
    const { email, name, code, via, created_at } = found
    const taken = await db
      .deleteFrom('sign_ups')
      .where('id', '=', found.id)
      .where('hash', '=', found.hash)
      .returning('id')
      .executeTakeFirst()
    if (!taken) fail('invalid_state', linkEnded)
    const locale = localeBy(services.request.header('accept-language'))
    const given = { name, locale, provedBy: 'mailbox' as const }
    const accountId = (await addAccount(db, services, { ...given, email })) ?? (await claimAccount(services, email, given))
    if (accountId === undefined) return fail('invalid_state', m.account_exists_by_now())
    await keepPassword(db, { accountId, hashed, now })
    const { workspace } = await createWorkspace(db, services, { name: input.workspace, accountId })
    await emit(signed_up, { accountId, workspaceId: workspace.id, email, askedAt: created_at, code, via: via === 'box' ? 'box' : 'link' })
    await auditPerson(db, {
      ...services,
      operation: 'sign_ups_confirm',
      accountId,
      actor: email,
      door: 'link',
      outcome: 'done',
      subjectId: workspace.id,
      workspaceId: workspace.id,
      about: { workspace: input.workspace },
    })
    await startSession(services, { accountId, method: 'link' })
    return toWorkspace(workspace)
  },
})
