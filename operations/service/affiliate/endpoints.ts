import { endpoint } from '../../../runtime/table/endpoint.ts'
import { referralCookie } from '../../people/sign-up/index.ts'
import { boxScript } from './box.ts'
import { hasProgram } from './terms.ts'

export const referral_open = endpoint({
  route: 'GET /r/{code}',
  summary: "Affiliate link: stores the affiliate's code in a cookie for 60 days and redirects to the sign-up page",
  access: 'public',
  async handle({ path }, { store, config, now }) {
    const code = path.code ?? ''
    const known = /^[a-z0-9]{6,20}$/.test(code)
      ? await store.read
          .selectFrom('affiliates')
          .select('code')
          .where('code', '=', code)
          .where('status', '=', 'approved')
          .executeTakeFirst()
      : undefined
    const isGood = known !== undefined && hasProgram(config)
    return {
      status: 302,
      headers: { Location: `${config.BASE_URL}/sign-up`, 'Cache-Control': 'no-store' },
      ...(isGood && { cookies: [referralCookie(code, now(), config.BASE_URL)] }),
    }
  },
})

export const signup_box_script = endpoint({
  route: 'GET /signup-box.js',
  summary: 'The element <footfall-signup> for pages of affiliates',
  access: 'public',
  rate: 'none',
  crossOrigin: { headers: [] },
  async handle(_, { config }) {
    return {
      status: 200,
      headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
      body: boxScript(config.BASE_URL),
    }
  },
})
