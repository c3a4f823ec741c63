/** The metadata with which an identity provider configures this service (SAML 2.0 Metadata §2.4.4). */
import { Type } from '@sinclair/typebox'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { workspace } from '../workspaces/records.ts'
import { addressesOf, findConfiguration } from './records.ts'

export const sso_metadata = operation({
  route: 'GET /workspaces/{workspace_id}/sso/metadata',
  summary: 'Get the SAML metadata',
  description:
    'Returns entity id, assertion consumer service and single logout URL of the workspace, for identity providers that read metadata.',
  access: 'public',
  on: workspace,
  surfaces: ['http'],
  answers: text('application/samlmetadata+xml'),
  effect: 'read',
  input: {},
  output: Type.String({ description: 'An EntityDescriptor.' }),
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, config }) {
    const { sp_entity_id, acs_url, slo_url } = addressesOf(workspace.id, config)
    const row = await findConfiguration(db, workspace.id)
    const certificate = row?.idp_slo_url ? row.sp_certificate?.replace(/-----[^-]+-----|\s/g, '') : undefined
    const logout = ['HTTP-Redirect', 'HTTP-POST'].map(
      binding => `    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${escaped(slo_url)}"/>\n`,
    )
    return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(sp_entity_id)}">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${certificate === undefined ? '' : keyOf(certificate) + logout.join('')}    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(acs_url)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
  },
})

/** The certificate for logout messages. */
const keyOf = (certificate: string): string =>
  `    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>\n`

/** Escapes a URL, which contains text that the operator chose. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
