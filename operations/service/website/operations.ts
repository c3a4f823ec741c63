import { Type } from '@sinclair/typebox'
import { operation } from '../../../runtime/table/operation.ts'
import { Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { canMail } from '../../people/mail/index.ts'
import { WEBSITE_IMPRINT_URL, WEBSITE_LOGO_URL, WEBSITE_NAME, WEBSITE_PRIVACY_URL, WEBSITE_TERMS_URL } from './settings.ts'

const signInMethods = ['password', 'passkey', 'single_sign_on', 'reset_by_mail'] as const

const link = (description: string) => Nullable(Type.String(), { description: `${description}; null if none is set.` })

const Website = record(
  'Website',
  {
    name: Type.String({ description: 'Name of this installation.' }),
    url: Type.String({ description: 'Its address.' }),
    logo_url: link('Its logo'),
    languages: Type.Array(Type.String(), { description: 'Languages of its public pages, ISO 639.' }),
    sign_in_url: Type.String({ description: 'Address to sign in at.' }),
    sign_in: Type.Array(OneOf(['password', 'passkey', 'single_sign_on', 'reset_by_mail']), {
      description: 'How people sign in; `reset_by_mail`: a new password is mailed.',
    }),
    imprint_url: link('Its imprint'),
    privacy_url: link('Its privacy policy'),
    terms_url: link('Its terms'),
  },
  'This installation, as its public pages and clients show it.',
)

export const website_get = operation({
  route: 'GET /website',
  summary: 'Get the name, languages, sign-in methods and legal links of this installation',
  title: 'This installation',
  access: 'public',
  effect: 'read',
  input: {},
  output: Website,
  examples: [{ input: {} }],
  async run({ config }) {
    return {
      name: config.of(WEBSITE_NAME),
      url: config.BASE_URL,
      logo_url: config.of(WEBSITE_LOGO_URL) || null,
      languages: ['en'],
      sign_in_url: `${config.BASE_URL}/sign-in`,
      sign_in: signInMethods.filter(method => method !== 'reset_by_mail' || canMail(config)),
      imprint_url: config.of(WEBSITE_IMPRINT_URL) || null,
      privacy_url: config.of(WEBSITE_PRIVACY_URL) || null,
      terms_url: config.of(WEBSITE_TERMS_URL) || null,
    }
  },
})
