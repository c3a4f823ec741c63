/** How this installation presents itself. */
import { setting } from '../../../runtime/settings/setting.ts'

const address = {
  default: '',
  parse: (text: string) => (text === '' || (/^https?:\/\//.test(text) && URL.canParse(text)) ? text : undefined),
  wants: 'a URL that begins with https:// or http://',
}

export const WEBSITE_NAME = setting({
  default: 'Footfall',
  description: 'Name of this installation, as its public pages and clients show it',
  parse: text => (text.trim() !== '' && text.length <= 100 ? text.trim() : undefined),
  wants: '1 to 100 characters',
})
export const WEBSITE_LOGO_URL = setting({ ...address, description: 'Logo of this installation' })
export const WEBSITE_IMPRINT_URL = setting({ ...address, description: 'Imprint of this installation' })
export const WEBSITE_PRIVACY_URL = setting({ ...address, description: 'Privacy policy of this installation' })
export const WEBSITE_TERMS_URL = setting({ ...address, description: 'Terms of this installation' })
