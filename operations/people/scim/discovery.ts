/** Discovery: configuration, resource types and schemas (RFC 7643 §5 to §7). */
import type { Config } from '../../../runtime/settings/config.ts'
import { mostUsers } from './wire-format.ts'
import { urns } from './records.ts'

type Where = Pick<Config, 'BASE_URL'>
type Document = Readonly<Record<string, unknown>>

const meta = ({ BASE_URL }: Where, resourceType: string, path: string) => ({ resourceType, location: `${BASE_URL}/scim/v2/${path}` })

export function providerConfig(config: Where): Document {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostUsers },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The SCIM token of the workspace, from its single sign-on settings.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: meta(config, 'ServiceProviderConfig', 'ServiceProviderConfig'),
  }
}

export function resourceTypes(config: Where): Document[] {
  return [
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'A member of the workspace.',
      schema: urns.user,
      meta: meta(config, 'ResourceType', 'ResourceTypes/User'),
    },
  ]
}

/** An attribute as RFC 7643 §7 describes one; what is left out is the usual. */
function attribute(name: string, description: string, rest: Document = {}): Document {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...rest,
  }
}

export function schemas(config: Where): Document[] {
  return [
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      id: urns.user,
      name: 'User',
      description: 'A member of the workspace.',
      attributes: [
        attribute('userName', 'E-mail address of the member.', { required: true, uniqueness: 'server' }),
        attribute('name', 'The name in its parts.', {
          type: 'complex',
          subAttributes: [
            attribute('formatted', 'The whole name.'),
            attribute('familyName', 'Family name.'),
            attribute('givenName', 'Given name.'),
            attribute('middleName', 'Middle name.'),
            attribute('honorificPrefix', 'Such as Dr.'),
            attribute('honorificSuffix', 'Such as III.'),
          ],
        }),
        attribute('displayName', 'How the member is shown.'),
        attribute('emails', 'E-mail addresses.', {
          type: 'complex',
          multiValued: true,
          subAttributes: [
            attribute('value', 'The address.'),
            attribute('type', 'Such as work.'),
            attribute('primary', 'Whether it is the first choice.', { type: 'boolean' }),
            attribute('display', 'How it is shown.'),
          ],
        }),
        attribute('active', 'False while the membership is suspended.', { type: 'boolean' }),
        attribute('externalId', 'How the identity provider calls the member.', { caseExact: true }),
      ],
      meta: meta(config, 'Schema', `Schemas/${urns.user}`),
    },
  ]
}
