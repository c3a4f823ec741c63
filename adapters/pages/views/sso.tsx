/** Single sign-on: how far it is and what is next, what the identity provider wants to know, and the proof of domains. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { type Key, say, told } from '../../../runtime/ui/languages/index.ts'
import type { RowLink } from '../../../runtime/ui/list.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { list, type Row, text } from './read.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import type { Seen, View } from './view.ts'

type Protocol = 'saml' | 'oidc'

/** Fields that a connection needs before it can be tested. */
const wanted: Readonly<Record<Protocol, readonly string[]>> = {
  saml: ['idp_sso_url', 'idp_entity_id', 'idp_cert_present'],
  oidc: ['oidc_issuer', 'oidc_client_id'],
}
/** Addresses for the identity provider, and their names there. */
const addresses: Readonly<Record<Protocol, readonly (readonly [field: string, label: Key])[]>> = {
  saml: [
    ['acs_url', 'sso_acs'],
    ['sp_entity_id', 'sso_entity'],
    ['slo_url', 'sso_slo'],
    ['sp_certificate', 'sso_sp_certificate'],
  ],
  oidc: [
    ['oidc_redirect_uri', 'sso_redirect'],
    ['oidc_logout_uri', 'sso_back_channel'],
  ],
}
/** The configuration as it was entered here. */
const entered: Readonly<Record<Protocol, readonly string[]>> = {
  saml: ['idp_sso_url', 'idp_entity_id', 'idp_slo_url'],
  oidc: ['oidc_issuer', 'oidc_client_id', 'oidc_client_secret_present'],
}
const ofBoth = ['protocol', 'default_role', 'jit_provisioning']

export const sso: View = {
  async show(seen) {
    const { data, schema, viewer, ask, pathOf } = seen
    const protocol: Protocol = data.protocol === 'oidc' ? 'oidc' : 'saml'
    const domains = list((await ask('[SsoDomain]', { per_page: 100 }))?.rows)
    const shown = new Set([...ofBoth, ...entered[protocol]])
    const path = pathOf('[SsoDomain]')
    return {
      content: (
        <>
          <section class="card" aria-labelledby="state">
            <p class="between">
              <b id="state">{say(viewer, 'sso_state')}</b>
              <Tag value={data.status} viewer={viewer} />
            </p>
            <Steps steps={stepsOf(seen, protocol, domains.length > 0 ? path : undefined)} viewer={viewer} />
          </section>
          <section class="card" aria-labelledby="provider">
            <h2 id="provider">{say(viewer, 'sso_for_provider')}</h2>
            <p class="help">{say(viewer, 'sso_for_provider_says')}</p>
            {addresses[protocol].map(([field, label]) => (
              <ToCopy label={say(viewer, label)} content={text(data[field])} viewer={viewer} />
            ))}
          </section>
          <section class="card" aria-labelledby="domains">
            <div class="between">
              <h2 id="domains">{say(viewer, 'sso_domains')}</h2>
              <Claim seen={seen} isFirst={domains.length === 0} />
            </div>
            <p class="help">{say(viewer, 'sso_domains_say')}</p>
            {domains.map(row => (
              <Domain
                row={row}
                viewer={viewer}
                actions={path !== undefined && row.status === 'pending' ? [{ label: say(viewer, 'sso_look_for'), href: path }] : []}
              />
            ))}
          </section>
          <section class="card" aria-labelledby="entered">
            <h2 id="entered">{say(viewer, 'sso_entered')}</h2>
            <RecordView schema={schema} data={data} viewer={viewer} without={new Set(Object.keys(data).filter(name => !shown.has(name)))} />
            {protocol === 'saml' && <Certificates rows={list(data.idp_certificates)} viewer={viewer} />}
          </section>
          <section class="card" aria-labelledby="scim">
            <h2 id="scim">SCIM</h2>
            <p class="help">{say(viewer, data.scim_enabled === true ? 'sso_scim_on' : 'sso_scim_off')}</p>
            <ToCopy label={say(viewer, 'sso_scim_url')} content={text(data.scim_url)} viewer={viewer} />
          </section>
        </>
      ),
    }
  },
}

/** The domains on a page of their own, where each is looked for and given up. */
export const ssoDomains: View = {
  async show({ data, viewer, actionsOf }) {
    const rows = list(data.rows)
    if (rows.length === 0) return undefined
    return {
      content: (
        <>
          {rows.map(row => (
            <section class="card">
              <Domain row={row} viewer={viewer} actions={actionsOf(row)} />
            </section>
          ))}
        </>
      ),
    }
  },
}

interface Step {
  readonly is: 'done' | 'failed' | 'open'
  readonly says: string
  /** How it is done. */
  readonly by?: RowLink | undefined
  /** Nothing is missing without it. */
  readonly isChoice?: true
}

/** @param waiting where domains are that wait for their proof */
function stepsOf({ data, does, viewer, formFor }: Seen, protocol: Protocol, waiting: string | undefined): Step[] {
  const isActive = data.status === 'active'
  const missing = wanted[protocol].filter(field => data[field] === null || data[field] === false)
  const domains = Array.isArray(data.domains) ? data.domains.map(String) : []
  const isTested = isActive || data.status === 'tested'
  const error = isTested ? '' : text(data.test_error)
  const formOf = (ending: string, key: Key): RowLink | undefined => {
    const operation = does.find(({ path, method }) => `${method} ${path}`.endsWith(ending))
    return operation && { label: say(viewer, key), href: `?do=${operation.id}` }
  }
  const change = formOf('/sso', 'sso_enter')
  const form = formFor('SsoDomain', {})
  const claim = form === undefined ? undefined : { label: say(viewer, 'sso_claim'), href: form }
  const prove = waiting === undefined ? claim : { label: say(viewer, 'sso_look_for'), href: waiting }
  const test = { label: say(viewer, 'sso_test'), href: text(data.test_url) }
  return [
    missing.length === 0
      ? { is: 'done', says: say(viewer, 'sso_connected') }
      : {
          is: 'open',
          says: say(viewer, 'sso_connect', { fields: missing.map(name => fieldWords(name.replace(/_present$/, ''), viewer)).join(', ') }),
          by: change,
        },
    domains.length > 0
      ? { is: 'done', says: say(viewer, 'sso_domains_verified', { domains: domains.join(', ') }) }
      : {
          is: 'open',
          says: say(viewer, 'sso_no_domain'),
          by: prove,
        },
    isTested
      ? {
          is: 'done',
          says:
            data.tested_at === null
              ? say(viewer, 'sso_tested')
              : say(viewer, 'sso_tested_at', { when: instant(text(data.tested_at), viewer) }),
        }
      : error !== ''
        ? { is: 'failed', says: say(viewer, 'sso_test_failed', { error: told(viewer, error) }), by: test }
        : { is: 'open', says: say(viewer, data.status === 'testing' ? 'sso_testing' : 'sso_not_tested'), by: test },
    isActive
      ? { is: 'done', says: say(viewer, 'sso_active') }
      : { is: 'open', says: say(viewer, 'sso_not_active'), by: formOf('/activate', 'sso_activate') },
    data.enforced === true
      ? { is: 'done', says: say(viewer, 'sso_enforced') }
      : {
          is: 'open',
          isChoice: true,
          says: say(viewer, 'sso_not_enforced'),
          by: isActive ? change && { ...change, label: say(viewer, 'sso_enforce') } : undefined,
        },
  ]
}

const signs = { done: '✓', failed: '✗', open: '○' } as const
const classes = { done: 'good', failed: 'bad', open: 'none' } as const

/** The first that is not done is next, and has the button. */
function Steps({ steps, viewer }: { steps: readonly Step[]; viewer: Viewer }) {
  const next = steps.findIndex(({ is }) => is !== 'done')
  return (
    <ol class="checks">
      {steps.map(({ is, says, by, isChoice = false }, i) => (
        <li>
          <span class={classes[is]} aria-hidden="true">
            {signs[is]}
          </span>
          <div>
            <p>
              {i === next && !isChoice && <b>{say(viewer, 'sso_next')} </b>}
              <span class="unseen">{say(viewer, is === 'done' ? 'yes' : 'no')}: </span>
              {says}
            </p>
            {i === next && by && (
              <p class="ends">
                <a class={isChoice ? 'button plain' : 'button'} href={by.href}>
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

/** Those that the identity provider signs with, the newest first. */
function Certificates({ rows, viewer }: { rows: readonly Row[]; viewer: Viewer }) {
  if (rows.length === 0) return null
  return (
    <section class="nested" aria-label={fieldWords('idp_certificates', viewer)}>
      <h3>{fieldWords('idp_certificates', viewer)}</h3>
      <ul class="checks">
        {rows.map(row => (
          <li>
            <div>
              <p>{say(viewer, 'sso_certificate', { subject: text(row.subject), when: instant(text(row.expires_at), viewer) })}</p>
              <p class="help">SHA-256 {text(row.fingerprint)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const ToCopy = ({ label, content, viewer }: { label: string; content: string; viewer: Viewer }) =>
  content === '' ? null : (
    <section class="nested" aria-label={label}>
      <h3>{label}</h3>
      <Code content={content} reader={viewer} />
    </section>
  )

function Claim({ seen: { formFor, viewer }, isFirst }: { seen: Seen; isFirst: boolean }) {
  const href = formFor('SsoDomain', {})
  if (href === undefined) return null
  return (
    <a class={isFirst ? 'button' : 'button plain'} href={href}>
      {say(viewer, 'sso_claim')}
    </a>
  )
}

/** A domain, and where it waits for its proof the record that gives it. */
function Domain({ row, viewer, actions }: { row: Row; viewer: Viewer; actions: readonly RowLink[] }) {
  return (
    <section class="nested" aria-label={text(row.domain)}>
      <p class="between">
        <b>{text(row.domain)}</b>
        <Tag value={row.status} viewer={viewer} />
      </p>
      {row.status === 'pending' && (
        <>
          <p class="help">{say(viewer, 'sso_record_says')}</p>
          <ToCopy label={say(viewer, 'sso_record_name')} content={text(row.record_name)} viewer={viewer} />
          <ToCopy label={say(viewer, 'sso_record_value')} content={text(row.record_value)} viewer={viewer} />
          {text(row.error) !== '' && <p class="notice">{told(viewer, text(row.error))}</p>}
        </>
      )}
      {actions.length > 0 && (
        <p class="ends">
          {actions.toReversed().map(({ label, href }) => (
            <>
              <a class="button plain" href={href}>
                {label}
              </a>{' '}
            </>
          ))}
        </p>
      )}
    </section>
  )
}
