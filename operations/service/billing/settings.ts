import { setting } from '../../../runtime/settings/setting.ts'

export const STRIPE_SECRET_KEY = setting({
  default: '',
  description: 'Secret or restricted key of Stripe, `sk_…` or `rk_…`; without it, the installation sells no plans (docs/billing.md)',
  parse: text => (text === '' || /^(sk|rk)_\w{8,200}$/.test(text) ? text : undefined),
  wants: 'a key of Stripe that begins with sk_ or rk_',
})
export const STRIPE_WEBHOOK_SECRET = setting({
  default: '',
  description: 'Signing secret of the webhook endpoint at Stripe that calls `/webhooks/stripe`',
  parse: text => (text === '' || /^whsec_[\w+/=]{8,200}$/.test(text) ? text : undefined),
  wants: 'a signing secret that begins with whsec_',
})
export const STRIPE_API_URL = setting({
  default: 'https://api.stripe.com',
  description: 'Address of Stripe’s API, for tests and proxies',
  parse: text => (/^https?:\/\/[^/?#@]+$/.test(text) && URL.canParse(text) ? text : undefined),
  wants: 'an http:// or https:// address without a path',
})
