/** The form of single sign-on: the protocol, then what the identity provider of that protocol needs. */
import type { Content } from '../../../runtime/table/page.ts'
import { say } from '../../../runtime/texts/say.ts'
import type { FormParts } from '../../../runtime/ui/form-layout.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import { m } from './messages.ts'

type Field =
  | 'protocol'
  | 'idp_sso_url'
  | 'idp_entity_id'
  | 'idp_slo_url'
  | 'idp_cert'
  | 'withdraw_former_cert'
  | 'oidc_issuer'
  | 'oidc_client_id'
  | 'oidc_client_secret'
  | 'domains'
  | 'default_role'
  | 'jit_provisioning'
  | 'enforced'

export function ssoFields(parts: FormParts<Field>): Content {
  const { reader, values } = parts
  const isSaml = values.protocol !== 'oidc'
  const hasTwo = Array.isArray(parts.record?.idp_certificates) && parts.record.idp_certificates.length > 1
  if (!isSaml || !hasTwo) parts.without('withdraw_former_cert')
  if (isSaml) parts.without('oidc_issuer', 'oidc_client_id', 'oidc_client_secret')
  else parts.without('idp_sso_url', 'idp_entity_id', 'idp_slo_url', 'idp_cert')
  return (
    <>
      {parts.kinds('protocol', [
        { value: 'saml', icon: 'secure', label: valueWords('saml', reader), help: say(reader, m.saml_help) },
        { value: 'oidc', icon: 'key', label: valueWords('oidc', reader), help: say(reader, m.oidc_help) },
      ])}
      {isSaml ? (
        <>
          {parts.field('idp_sso_url', { label: say(reader, m.sso_url_label), help: say(reader, m.sso_url_help), placeholder: 'https://' })}
          {parts.field('idp_entity_id', { label: say(reader, m.entity_label), help: say(reader, m.entity_help) })}
          {parts.field('idp_cert', { label: say(reader, m.cert_label), help: say(reader, m.cert_help) })}
          {hasTwo && parts.field('withdraw_former_cert', { label: say(reader, m.withdraw_label), help: say(reader, m.withdraw_help) })}
          {parts.field('idp_slo_url', { label: say(reader, m.slo_url_label), help: say(reader, m.slo_url_help), placeholder: 'https://' })}
        </>
      ) : (
        <>
          {parts.field('oidc_issuer', { label: say(reader, m.issuer_label), help: say(reader, m.issuer_help), placeholder: 'https://' })}
          {parts.field('oidc_client_id', { label: say(reader, m.client_label), help: '' })}
          {parts.field('oidc_client_secret', { label: say(reader, m.client_secret_label), help: say(reader, m.client_secret_help) })}
        </>
      )}
      {parts.field('domains', {
        label: say(reader, m.domains_label),
        help: say(reader, m.domains_help),
        isRows: true,
        add: say(reader, m.add_domain),
        placeholder: 'example.com',
      })}
      {parts.field('jit_provisioning', { label: say(reader, m.jit_label), help: say(reader, m.jit_help) })}
      {parts.field('default_role', { label: say(reader, m.role_label), help: '' })}
      {parts.field('enforced', { label: say(reader, m.enforced_label), help: say(reader, m.enforced_help) })}
    </>
  ) as Content
}
