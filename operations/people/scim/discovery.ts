/** Discovery: configuration, resource types and schemas (RFC 7643 §5 to §7). */
import type { Config } from '../../../runtime/settings/config.ts'
import { maxUsers } from './wire-format.ts'
import { urns } from './records.ts'

type BaseUrl = Pick<Config, 'BASE_URL'>
type Document = Readonly<Record<string, unknown>>

const meta = ({ BASE_URL }: BaseUrl, resourceType: string, path: string) => ({ resourceType, location: `${BASE_URL}/scim/v2/${path}` })

export function providerConfig(config: BaseUrl): Document {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxUsers },
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

export function resourceTypes(config: BaseUrl): Document[] {
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

/** An attribute definition of RFC 7643 §7. Omitted characteristics have their default. */
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

export function schemas(config: BaseUrl): Document[] {
  return [
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      id: urns.user,
      name: 'User',
      description: 'A member of the workspace.',
      attributes: [
        attribute('userName', 'E-mail address of the member.', { required: true, uniqueness: 'server' }),
        attribute('name', 'The name in its components.', {
          type: 'complex',
          subAttributes: [
            attribute('formatted', 'Full name.'),
            attribute('familyName', 'Family name.'),
            attribute('givenName', 'Given name.'),
            attribute('middleName', 'Middle name.'),
            attribute('honorificPrefix', 'Title before the name, for example Dr.'),
            attribute('honorificSuffix', 'Suffix after the name, for example III.'),
          ],
        }),
        attribute('displayName', 'Display name of the member.'),
        attribute('emails', 'E-mail addresses.', {
          type: 'complex',
          multiValued: true,
          subAttributes: [
            attribute('value', 'E-mail address.'),
            attribute('type', 'Type of the address, for example work.'),
            attribute('primary', 'Whether this is the primary address.', { type: 'boolean' }),
            attribute('display', 'Display form of the address.'),
          ],
        }),
        attribute('active', 'False while the membership is suspended.', { type: 'boolean' }),
        attribute('externalId', 'The member’s identifier at the identity provider.', { caseExact: true }),
      ],
      meta: meta(config, 'Schema', `Schemas/${urns.user}`),
    },
  ]
}
