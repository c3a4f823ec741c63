/** The steps of setting up single sign-on, and the one that comes next. */
import type { Static } from '@sinclair/typebox'
import type { Operation } from '../../../runtime/table/operation.ts'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { type Key, say } from '../../../runtime/ui/languages/index.ts'
import type { RowLink } from '../../../runtime/ui/list.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { sso_activate, sso_update } from './operations.ts'
import type { protocols, SsoConfiguration } from './records.ts'

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
  const linkTo = (href: string | undefined, key: Key): RowLink | undefined =>
    href === undefined ? undefined : { label: say(viewer, key), href }
  const formOf = (operation: Operation): string | undefined => {
    const write = offered(operation)
    return write && `?do=${write.id}`
  }
  const test = linkTo(data.test_url, 'sso_test')
  return [
    missing.length === 0
      ? { is: 'done', says: say(viewer, 'sso_connected') }
      : {
          is: 'open',
          says: say(viewer, 'sso_connect', { fields: missing.map(name => fieldWords(name.replace(/_present$/, ''), viewer)).join(', ') }),
          by: linkTo(formOf(sso_update), 'sso_enter'),
        },
    domains.length > 0
      ? { is: 'done', says: say(viewer, 'sso_domains_verified', { domains: domains.join(', ') }) }
      : { is: 'open', says: say(viewer, 'sso_no_domain'), by: linkTo(verify, 'sso_look_for') ?? linkTo(claim, 'sso_claim') },
    isActive || status === 'tested'
      ? {
          is: 'done',
          says: tested_at === null ? say(viewer, 'sso_tested') : say(viewer, 'sso_tested_at', { when: instant(tested_at, viewer) }),
        }
      : test_error !== null
        ? { is: 'failed', says: say(viewer, 'sso_test_failed', { error: say(viewer, test_error) }), by: test }
        : { is: 'open', says: say(viewer, status === 'testing' ? 'sso_testing' : 'sso_not_tested'), by: test },
    isActive
      ? { is: 'done', says: say(viewer, 'sso_active') }
      : { is: 'open', says: say(viewer, 'sso_not_active'), by: linkTo(formOf(sso_activate), 'sso_activate') },
    data.enforced
      ? { is: 'done', says: say(viewer, 'sso_enforced') }
      : {
          is: 'open',
          isOptional: true,
          says: say(viewer, 'sso_not_enforced'),
          by: isActive ? linkTo(formOf(sso_update), 'sso_enforce') : undefined,
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
              {i === next && !isOptional && <b>{say(viewer, 'sso_next')} </b>}
              <span class="unseen">{say(viewer, is === 'done' ? 'yes' : 'no')}: </span>
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
