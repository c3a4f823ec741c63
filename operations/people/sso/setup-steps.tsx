/** The steps of setting up single sign-on, and the one that comes next. */
import type { Static } from '@sinclair/typebox'
import type { Operation } from '../../../runtime/table/operation.ts'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import type { RowLink } from '../../../runtime/ui/list.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { sso_activate, sso_update } from './operations.ts'
import type { protocols, SsoConfiguration } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'

type Configuration = Static<typeof SsoConfiguration>

/** Fields that a connection needs before it can be tested. */
const needed = {
  saml: ['idp_sso_url', 'idp_entity_id', 'idp_cert_present'],
  oidc: ['oidc_issuer', 'oidc_client_id'],
} as const satisfies Record<(typeof protocols)[number], readonly (keyof Configuration)[]>

interface Step {
  readonly is: 'done' | 'failed' | 'open'
  readonly says: string
  /** The form or page where it is done. */
  readonly by?: RowLink | undefined
  /** Whether single sign-on works without it. */
  readonly isOptional?: true
}

interface DomainLinks {
  /** Address of the form that claims a domain. */
  readonly claim: string | undefined
  /** Path of the list where claimed domains are verified. */
  readonly verify: string | undefined
}

export function setupSteps(data: Configuration, { viewer, offered }: ViewedPage, { claim, verify }: DomainLinks): Step[] {
  const { domains, status, tested_at, test_error } = data
  const isActive = status === 'active'
  const missing = needed[data.protocol].filter(field => data[field] === null || data[field] === false)
  const rowLink = (href: string | undefined, message: PlainMessage): RowLink | undefined =>
    href === undefined ? undefined : { label: say(viewer, message), href }
  const formOf = (operation: Operation): string | undefined => {
    const write = offered(operation)
    return write && `?do=${write.id}`
  }
  const test = rowLink(data.test_url, m.sso_test)
  return [
    missing.length === 0
      ? { is: 'done', says: say(viewer, m.sso_connected) }
      : {
          is: 'open',
          says: say(viewer, m.sso_connect, { fields: missing.map(name => fieldWords(name.replace(/_present$/, ''), viewer)).join(', ') }),
          by: rowLink(formOf(sso_update), m.sso_enter),
        },
    domains.length > 0
      ? { is: 'done', says: say(viewer, m.sso_domains_verified, { domains: domains.join(', ') }) }
      : { is: 'open', says: say(viewer, m.sso_no_domain), by: rowLink(verify, m.sso_look_for) ?? rowLink(claim, m.sso_claim) },
    isActive || status === 'tested'
      ? {
          is: 'done',
          says: tested_at === null ? say(viewer, m.sso_tested) : say(viewer, m.sso_tested_at, { when: instant(tested_at, viewer) }),
        }
      : test_error !== null
        ? { is: 'failed', says: say(viewer, m.sso_test_failed, { error: say(viewer, test_error) }), by: test }
        : { is: 'open', says: say(viewer, status === 'testing' ? m.sso_testing : m.sso_not_tested), by: test },
    isActive
      ? { is: 'done', says: say(viewer, m.sso_active) }
      : { is: 'open', says: say(viewer, m.sso_not_active), by: rowLink(formOf(sso_activate), m.sso_activate) },
    data.enforced
      ? { is: 'done', says: say(viewer, m.sso_enforced) }
      : {
          is: 'open',
          isOptional: true,
          says: say(viewer, m.sso_not_enforced),
          by: isActive ? rowLink(formOf(sso_update), m.sso_enforce) : undefined,
        },
  ]
}

const signs = { done: '✓', failed: '✗', open: '○' } as const
const classes = { done: 'good', failed: 'bad', open: 'none' } as const

/** The first step that is not done has a button. */
export function Steps({ steps, viewer }: { steps: readonly Step[]; viewer: Viewer }) {
  const next = steps.findIndex(({ is }) => is !== 'done')
  return (
    <ol class="checks">
      {steps.map(({ is, says, by, isOptional = false }, i) => (
        <li>
          <span class={classes[is]} aria-hidden="true">
            {signs[is]}
          </span>
          <div>
            <p>
              {i === next && !isOptional && <b>{say(viewer, m.sso_next)} </b>}
              <span class="unseen">{say(viewer, is === 'done' ? ui.yes : ui.no)}: </span>
              {says}
            </p>
            {i === next && by && (
              <p class="ends">
                <a class={isOptional ? 'button plain' : 'button'} href={by.href}>
                  {by.label}
                </a>
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
