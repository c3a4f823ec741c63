/** How the configuration of single sign-on and the claimed domains look. */
import type { Static } from '@sinclair/typebox'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { listOf, listView, view } from '../../../runtime/ui/view.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { Domain } from './domain.tsx'
import { sso_domains_create } from './domain-operations.ts'
import { type protocols, SsoConfiguration, SsoDomain } from './records.ts'
import { setupSteps, Steps } from './setup-steps.tsx'
import { ToCopy } from './to-copy.tsx'
import { m } from './messages.ts'
import { ssoFields } from './form.tsx'
import { sso_update } from './operations.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'

export const changeSso = form(sso_update, ssoFields)

type Configuration = Static<typeof SsoConfiguration>
type Protocol = (typeof protocols)[number]

/** Addresses for the identity provider, and their names there. */
const addresses = {
  saml: [
    ['acs_url', m.assertion_consumer_service_reply_url],
    ['sp_entity_id', m.sso_entity],
    ['slo_url', m.sso_slo],
    ['sp_certificate', m.sso_sp_certificate],
  ],
  oidc: [
    ['oidc_redirect_uri', m.sso_redirect],
    ['oidc_logout_uri', m.sso_back_channel],
  ],
} as const satisfies Record<Protocol, readonly (readonly [keyof Configuration, PlainMessage])[]>
/** Fields that a person has entered. */
const entered = {
  saml: ['protocol', 'default_role', 'jit_provisioning', 'idp_sso_url', 'idp_entity_id', 'idp_slo_url'],
  oidc: ['protocol', 'default_role', 'jit_provisioning', 'oidc_issuer', 'oidc_client_id', 'oidc_client_secret_present'],
} as const satisfies Record<Protocol, readonly (keyof Configuration)[]>

/** The configuration: the steps of the setup, the values for the identity provider, the domains, and what was entered. */
export const sso = view(SsoConfiguration, async ({ data, page }) => {
  const { schema, viewer } = page
  const { protocol } = data
  const domains = (await page.ask(listOf(SsoDomain), { per_page: 100 })) ?? []
  const path = page.pathOf(listOf(SsoDomain))
  const claim = page.formFor(sso_domains_create, {})
  const shown = new Set<string>(entered[protocol])
  const without = new Set(Object.keys(data).filter(name => !shown.has(name)))
  return (
    <>
      <section class="card" aria-labelledby="state">
        <p class="between">
          <b id="state">{say(viewer, m.sso_state)}</b>
          <Tag value={data.status} viewer={viewer} />
        </p>
        <Steps steps={setupSteps(data, page, { claim, verify: domains.length > 0 ? path : undefined })} viewer={viewer} />
      </section>
      <section class="card" aria-labelledby="provider">
        <h2 id="provider">{say(viewer, m.sso_for_provider)}</h2>
        <p class="help">{say(viewer, m.sso_for_provider_says)}</p>
        {addresses[protocol].map(([field, label]) => (
          <ToCopy label={say(viewer, label)} content={data[field]} viewer={viewer} />
        ))}
      </section>
      <section class="card" aria-labelledby="domains">
        <div class="between">
          <h2 id="domains">{say(viewer, m.sso_domains)}</h2>
          {claim !== undefined && (
            <a class={domains.length === 0 ? 'button' : 'button plain'} href={claim}>
              {say(viewer, m.sso_claim)}
            </a>
          )}
        </div>
        <p class="help">{say(viewer, m.sso_domains_say)}</p>
        {domains.map(domain => (
          <Domain
            domain={domain}
            viewer={viewer}
            actions={path !== undefined && domain.status === 'pending' ? [{ label: say(viewer, m.sso_look_for), href: path }] : []}
          />
        ))}
      </section>
      <section class="card" aria-labelledby="entered">
        <h2 id="entered">{say(viewer, m.sso_entered)}</h2>
        <RecordView schema={schema} data={data} viewer={viewer} without={without} />
        {protocol === 'saml' && <Certificates certificates={data.idp_certificates} viewer={viewer} />}
      </section>
      <section class="card" aria-labelledby="scim">
        <h2 id="scim">SCIM</h2>
        <p class="help">{say(viewer, data.scim_enabled ? m.sso_scim_on : m.sso_scim_off)}</p>
        <ToCopy label={say(viewer, m.sso_scim_url)} content={data.scim_url} viewer={viewer} />
      </section>
    </>
  )
})

/** The domains on their own page, each with its actions. */
export const ssoDomains = listView(SsoDomain, ({ rows, page }) =>
  rows.length === 0 ? undefined : (
    <>
      {rows.map(row => (
        <section class="card">
          <Domain domain={row} viewer={page.viewer} actions={page.actionsOf(row)} />
        </section>
      ))}
    </>
  ),
)

/** The signing certificates of the identity provider, the newest first. */
function Certificates({ certificates, viewer }: { certificates: Configuration['idp_certificates']; viewer: Viewer }) {
  if (certificates.length === 0) return null
  const title = fieldWords('idp_certificates', viewer)
  return (
    <section class="nested" aria-label={title}>
      <h3>{title}</h3>
      <ul class="checks">
        {certificates.map(({ subject, expires_at, fingerprint }) => (
          <li>
            <div>
              <p>{say(viewer, m.sso_certificate, { subject, when: instant(expires_at, viewer) })}</p>
              <p class="help">SHA-256 {fingerprint}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
