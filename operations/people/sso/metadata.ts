/** What an identity provider reads to know this service (SAML 2.0 Metadata §2.4.4). */
import { Type } from '@sinclair/typebox'
import { text } from '../../../runtime/kinds.ts'
import { operation } from '../../../runtime/operation.ts'
import { workspace } from '../workspaces/records.ts'
import { addressesOf } from './records.ts'

export const sso_metadata = operation({
  route: 'GET /workspaces/{workspace_id}/sso/metadata',
  summary: 'Get the SAML metadata',
  description: 'Entity id and assertion consumer service of the workspace, for identity providers that read them.',
  access: 'public',
  on: workspace,
  surfaces: ['http'],
  answers: text('application/samlmetadata+xml'),
  effect: 'read',
  input: {},
  output: Type.String({ description: 'An EntityDescriptor.' }),
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ workspace, config }) {
    const { sp_entity_id, acs_url } = addressesOf(workspace.id, config)
    return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(sp_entity_id)}">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(acs_url)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
  },
})

/** Addresses are of the operator's choosing. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
